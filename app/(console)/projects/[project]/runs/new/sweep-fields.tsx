import { Field, Input } from '@/app/_ui/forms';
import { formatShort } from '@/lib/core/format';
import type { JobSpec } from '@/lib/core/training-spec';
import type { Asked } from './read-wanted';

interface Props {
  asked: Asked;
  /** The preset's own spec: what is trained where nothing is tried. */
  usual: JobSpec;
}

/** Values to try out, and how much may be spent on it. */
export function SweepFields({ asked, usual }: Props) {
  const [first] = usual.stages;
  const last = usual.stages.at(-1);
  const list = (name: keyof Asked, label: string, value: number | undefined) => (
    <Field key={name} label={label}>
      {(control) => (
        <Input
          {...control}
          name={name}
          defaultValue={asked[name]}
          maxLength={200}
          placeholder={value === undefined ? undefined : formatShort(value)}
        />
      )}
    </Field>
  );
  return (
    <div className="grid grid-cols-2 gap-3">
      {list('sweepLr', 'Learning rates', first?.lr)}
      {list('sweepWeightDecay', 'Weight decays', usual.train.weightDecay)}
      {usual.model.arch !== 'baseline' && list('sweepCSeg', 'c_seg', usual.train.cSeg)}
      {usual.model.arch !== 'baseline' &&
        list('sweepLabelled', 'Shares with part labels', usual.data.labelledFraction)}
      {last?.method === 'trades' && list('sweepBeta', 'β of TRADES', last.beta)}
      <Field label="Most runs">
        {(control) => (
          <Input
            {...control}
            type="number"
            name="budgetRuns"
            min={1}
            max={200}
            step="1"
            defaultValue={asked.budgetRuns}
            placeholder="24"
          />
        )}
      </Field>
      <Field label="Most minutes">
        {(control) => (
          <Input
            {...control}
            type="number"
            name="budgetMinutes"
            min={1}
            step="any"
            defaultValue={asked.budgetMinutes}
            placeholder="any"
          />
        )}
      </Field>
    </div>
  );
}
