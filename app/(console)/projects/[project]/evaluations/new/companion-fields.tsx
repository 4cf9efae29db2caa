import { Checkbox, Field, Select } from '@/app/_ui/forms';

export interface Companions {
  /** Models that can say what is to be seen in a picture: classifiers, and encoders with words. */
  judges: { value: string; label: string; kind: string }[];
  /** Decoders, by which pictures can be driven away. */
  decoders: { value: string; label: string }[];
}

/** Who judges perturbed pictures, and what perturbs them: both only for FMR. */
export function CompanionFields({ judges, decoders }: Companions) {
  if (judges.length < 2) return null;
  return (
    <>
      <fieldset className="grid gap-1">
        <legend className="text-xs font-medium text-ink-2">
          Oracle<span className="ml-1 font-normal text-ink-3">optional</span>
        </legend>
        <div className="grid max-h-48 gap-1 overflow-y-auto rounded-sm border border-line p-2 sm:grid-cols-2">
          {judges.map(({ value, label, kind }) => (
            <Checkbox
              key={value}
              name="oracle"
              value={value}
              label={kind === 'oracle' ? `${label} (by words)` : label}
            />
          ))}
        </div>
        <p className="text-xs text-ink-3">
          One to three: other models that know the same classes and look at pictures of the same size, or
          encoders with words, of any size. The last suite (FMR) needs them and is left out without.
        </p>
      </fieldset>
      <Field label="Generator" hint="What drives pictures away from the model in FMR.">
        {(control) => (
          <Select
            {...control}
            name="generator"
            options={[
              { value: 'search', label: 'Small changes of colour, sharpness and place' },
              { value: 'squares', label: 'Squares that are made lighter or darker' },
              ...decoders.map(({ value, label }) => ({ value, label: `Decoder: ${label}` })),
            ]}
          />
        )}
      </Field>
    </>
  );
}
