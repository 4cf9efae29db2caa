import type { ComponentProps, ReactNode } from 'react';
import { cn } from '../cn';

interface ChoiceProps {
  label: ReactNode;
  hint?: ReactNode;
  disabled?: boolean;
  className?: string;
  control: ReactNode;
}

/** A control with its words beside it; the whole line is the target. */
export function Choice({ label, hint, disabled, className, control }: ChoiceProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is passed in and stands inside the label.
    <label className={cn('flex min-h-6 items-start gap-2', disabled && 'text-ink-3', className)}>
      <span className="flex h-5 items-center">{control}</span>
      <span>
        {label}
        {hint && <span className="block text-xs text-ink-3">{hint}</span>}
      </span>
    </label>
  );
}

export type ChoiceControlProps = Omit<ComponentProps<'input'>, 'type' | 'className'> & {
  label: ReactNode;
  hint?: ReactNode;
  className?: string;
};
