import type { ComponentProps } from 'react';
import { cn } from '../cn';
import { controlStyle } from './control';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  const numeric = rest.type === 'number' && 'text-end';
  return <input {...rest} className={cn(controlStyle, 'h-7', numeric, className)} />;
}
