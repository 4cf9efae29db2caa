/** What a field hands to its control so that label, hint and error are read out with it. */
export interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

export const controlStyle =
  'w-full rounded-md border border-line-strong bg-raised px-2 text-sm text-ink placeholder:text-ink-3 ' +
  'disabled:border-line disabled:bg-sunken disabled:text-ink-3 [&[readonly]]:bg-sunken ' +
  'aria-invalid:border-bad aria-invalid:outline-bad';
