import { ChevronDown } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from '../cn';

/** What a field hands to its control so that label, hint and error are read out with it. */
export interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

const controlStyle =
  'w-full rounded-md border border-line-strong bg-raised px-2 text-sm text-ink placeholder:text-ink-3 ' +
  'disabled:border-line disabled:bg-sunken disabled:text-ink-3 [&[readonly]]:bg-sunken ' +
  'aria-invalid:border-bad aria-invalid:outline-bad';

interface ChoiceProps {
  label: ReactNode;
  hint?: ReactNode;
  disabled?: boolean;
  className?: string;
  control: ReactNode;
}

/** A control with its words beside it; the whole line is the target. */
function Choice({ label, hint, disabled, className, control }: ChoiceProps) {
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

type ChoiceControlProps = Omit<ComponentProps<'input'>, 'type' | 'className'> & {
  label: ReactNode;
  hint?: ReactNode;
  className?: string;
};

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  const numeric = rest.type === 'number' && 'text-end';
  return <input {...rest} className={cn(controlStyle, 'h-7', numeric, className)} />;
}

export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...rest} rows={rows} className={cn(controlStyle, 'py-1.5', className)} />;
}

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

/* The tick is a clipped box, not an image: nothing to load, and it takes the colour of the theme. */
const box =
  'relative size-4 shrink-0 appearance-none rounded-sm border border-line-strong bg-raised ' +
  'checked:border-accent-fill checked:bg-accent-fill indeterminate:border-accent-fill indeterminate:bg-accent-fill ' +
  'disabled:border-line disabled:bg-sunken disabled:checked:bg-line-strong ' +
  'before:absolute before:inset-0.5 before:hidden before:bg-on-fill checked:before:block indeterminate:before:block ' +
  'before:[clip-path:polygon(8%_52%,22%_38%,40%_56%,78%_16%,92%_30%,40%_84%)] ' +
  'indeterminate:before:[clip-path:inset(42%_10%)]';

export function Checkbox({ label, hint, className, ...rest }: ChoiceControlProps) {
  return (
    <Choice
      label={label}
      hint={hint}
      disabled={rest.disabled}
      className={className}
      control={<input {...rest} type="checkbox" className={box} />}
    />
  );
}

const track =
  'relative h-4 w-7 shrink-0 appearance-none rounded-full border border-line-strong bg-sunken checked:border-accent-fill ' +
  'checked:bg-accent-fill disabled:opacity-50 before:absolute before:top-0.5 before:start-0.5 before:size-2.5 ' +
  'before:rounded-full before:bg-line-strong before:transition-transform checked:before:translate-x-3 rtl:checked:before:-translate-x-3 checked:before:bg-on-fill';

/** For what takes effect at once; a checkbox is for what a form sends. */
export function Switch({ label, hint, className, ...rest }: ChoiceControlProps) {
  return (
    <Choice
      label={label}
      hint={hint}
      disabled={rest.disabled}
      className={className}
      control={
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox tells its own state, in this role too.
        <input {...rest} type="checkbox" role="switch" className={track} />
      }
    />
  );
}

interface RadioGroupProps {
  name: string;
  legend: string;
  options: { value: string; label: ReactNode; hint?: ReactNode; disabled?: boolean }[];
  defaultValue?: string;
  row?: boolean;
}

const dot =
  'relative size-4 shrink-0 appearance-none rounded-full border border-line-strong bg-raised checked:border-accent-fill ' +
  'disabled:border-line disabled:bg-sunken before:absolute before:inset-[3px] before:hidden before:rounded-full ' +
  'before:bg-accent-fill checked:before:block disabled:before:bg-line-strong';

export function RadioGroup({ name, legend, options, defaultValue, row }: RadioGroupProps) {
  return (
    <fieldset>
      <legend className="mb-1 text-xs font-medium text-ink-2">{legend}</legend>
      <div className={row ? 'flex flex-wrap gap-x-5 gap-y-1' : 'flex flex-col gap-1'}>
        {options.map((option) => (
          <Choice
            key={option.value}
            label={option.label}
            hint={option.hint}
            disabled={option.disabled}
            control={
              <input
                type="radio"
                name={name}
                value={option.value}
                defaultChecked={option.value === defaultValue}
                disabled={option.disabled}
                className={dot}
              />
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
