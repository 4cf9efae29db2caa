import { Button } from '@/app/_ui/button';
import { Field, Select } from '@/app/_ui/forms';
import { formatDateTime } from '@/lib/core/format';
import type { EvaluationView } from '@/lib/services/evaluations/list-evaluations';

interface Props {
  evaluations: readonly EvaluationView[];
  a: string | undefined;
  b: string | undefined;
}

/** Which two are compared: a form that only changes the address. */
export function EvaluationChoice({ evaluations, a, b }: Props) {
  const options = evaluations
    .filter(({ state }) => state === 'done')
    .map(({ id, model, version, suite, at }) => ({
      value: id,
      label: `${model}, version ${version}, ${suite}, ${formatDateTime(at)}`,
    }));
  return (
    <form className="flex flex-wrap items-end gap-3" aria-label="Which evaluations">
      {(
        [
          ['a', 'First', a],
          ['b', 'Second', b],
        ] as const
      ).map(([name, label, chosen]) => (
        <div key={name} className="min-w-0 flex-1 basis-96">
          <Field label={label}>
            {(control) => <Select {...control} name={name} options={options} defaultValue={chosen} />}
          </Field>
        </div>
      ))}
      <Button type="submit">Compare</Button>
    </form>
  );
}
