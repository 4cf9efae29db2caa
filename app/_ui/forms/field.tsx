import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { cn } from '../cn';
import { OptionalMark } from '../ui-text';
import type { ControlProps } from './controls';

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** What is wrong and how to mend it. */
  error?: ReactNode;
  optional?: boolean;
  /** The label stands left of the control, as on settings pages. */
  row?: boolean;
  className?: string;
  children: (control: ControlProps) => ReactNode;
}

/** Label, control, hint and error, tied together for screen readers. */
export function Field({ label, hint, error, optional, row, className, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const described = [hint && hintId, error && errorId].filter(Boolean).join(' ');
  return (
    <div
      className={cn(
        row
          ? 'grid gap-x-6 gap-y-1 py-3 sm:grid-cols-[minmax(10rem,14rem)_minmax(0,28rem)]'
          : 'grid content-start gap-1',
        className,
      )}
    >
      <label htmlFor={id} className={cn('text-xs font-medium text-ink-2', row && 'sm:pt-1.5')}>
        {label}
        {optional && <OptionalMark />}
      </label>
      <div className="grid content-start gap-1">
        {children({
          id,
          'aria-describedby': described || undefined,
          'aria-invalid': error ? true : undefined,
        })}
        {error && (
          <p id={errorId} className="flex items-start gap-1 text-xs text-bad">
            <CircleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
            {error}
          </p>
        )}
        {hint && (
          <p id={hintId} className="text-xs text-ink-3">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

/** Why a form as a whole was not accepted, and what to do; read out when it appears. */
export function FormError({ children }: { children?: ReactNode }) {
  if (!children) return null;
  return (
    <p role="alert" className="flex items-start gap-2 rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}
