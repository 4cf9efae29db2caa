import { Checkbox } from '@/app/_ui/forms';
import { noClass } from '@/lib/services/images/image-filter';

interface Props {
  classes: readonly { id: string; name: string }[];
  chosen: readonly string[];
}

/** Which classes go in. Nothing chosen is all of them: a class that comes later is then in as well. */
export function ClassFields({ classes, chosen }: Props) {
  if (classes.length < 2) return null;
  const all = [...classes, { id: noClass, name: 'No class' }];
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-xs font-medium text-ink-2">Classes</legend>
      <div className="flex max-h-40 flex-col gap-1 overflow-y-auto rounded-md border border-line p-2">
        {all.map(({ id, name }) => (
          <Checkbox key={id} name="classes" value={id} label={name} defaultChecked={chosen.includes(id)} />
        ))}
      </div>
      <p className="text-xs text-ink-3">
        {chosen.length === 0 ? 'None chosen: all of them.' : `${chosen.length} of ${classes.length} chosen.`}
      </p>
    </fieldset>
  );
}
