import { Checkbox, Field, Select } from '@/app/_ui/forms';
import { OracleStageDialog } from './oracle-stage-dialog';

export interface Companions {
  /** Models that can say what is to be seen in a picture: classifiers, and encoders with words. */
  judges: { value: string; label: string; kind: string }[];
  /** Decoders, by which pictures can be driven away. */
  decoders: { value: string; label: string }[];
  /** Stages in which people can be asked; null where the person may not spend money. */
  crowd: { stages: { value: string; label: string }[]; slug: string; currency: string } | null;
}

/** Who judges perturbed pictures, and what perturbs them: both only for FMR. */
export function CompanionFields({ judges, decoders, crowd }: Companions) {
  return (
    <>
      {judges.length > 1 && <JudgeFields judges={judges} />}
      {crowd && (
        <div className="grid gap-2">
          {crowd.stages.length > 0 && (
            <Field
              label="People as oracle"
              hint="Only in the suite “As far as an oracle follows”, and not beside models. The evaluation waits until they have answered."
            >
              {(control) => (
                <Select
                  {...control}
                  name="crowd"
                  options={[{ value: '', label: 'Nobody is asked' }, ...crowd.stages]}
                />
              )}
            </Field>
          )}
          <div>
            <OracleStageDialog slug={crowd.slug} currency={crowd.currency} />
          </div>
        </div>
      )}
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

const JudgeFields = ({ judges }: Pick<Companions, 'judges'>) => (
  <fieldset className="grid gap-1">
    <legend className="mb-1 text-xs font-medium text-ink-2">
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
      One to three: other models that know the same classes and look at pictures of the same size, or encoders
      with words, of any size. The last suite (FMR) needs them and is left out without.
    </p>
  </fieldset>
);
