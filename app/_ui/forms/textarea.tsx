import type { ComponentProps } from 'react';
import { cn } from '../cn';
import { controlStyle } from './control';

export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...rest} rows={rows} className={cn(controlStyle, 'py-1.5', className)} />;
}
