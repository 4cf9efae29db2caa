import { Choice, type ChoiceControlProps } from './choice';

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
