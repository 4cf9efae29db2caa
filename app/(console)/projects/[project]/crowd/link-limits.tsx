import { Field, Input } from '@/app/_ui/forms';

interface LinkLimitsProps {
  seats: number;
  errors: { seats?: string; days?: string } | undefined;
}

/** Fields of an invitation link: number of people and validity. */
export function LinkLimits({ seats, errors }: LinkLimitsProps) {
  return (
    <>
      <Field label="Number of people" error={errors?.seats} hint="How often the link can be used.">
        {(control) => (
          <Input {...control} name="seats" type="number" min={1} max={10_000} defaultValue={seats} />
        )}
      </Field>
      <Field label="Valid for days" error={errors?.days}>
        {(control) => <Input {...control} name="days" type="number" min={1} max={365} defaultValue={14} />}
      </Field>
    </>
  );
}
