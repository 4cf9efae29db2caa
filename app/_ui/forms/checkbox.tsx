import { Choice, type ChoiceControlProps } from './choice';

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
