import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cn } from '../cn';
import { controlStyle } from './control';

export interface Option {
  value: string;
  label: string;
  disabled?: boolean;
}

/** The platform's own select: it works without script, on touch and with every screen reader. */
export function Select({ options, className, ...rest }: ComponentProps<'select'> & { options: Option[] }) {
  return (
    <span className={cn('relative inline-flex w-full', className)}>
      <select {...rest} className={cn(controlStyle, 'h-7 appearance-none pe-7')}>
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute end-2 top-1/2 size-3.5 -translate-y-1/2 text-ink-3"
      />
    </span>
  );
}
