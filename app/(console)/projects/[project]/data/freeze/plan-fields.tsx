import { z } from 'zod';
import { Checkbox, Field, Input, Select } from '@/app/_ui/forms';
import { type FreezeFilter, SplitSpec } from '@/lib/services/datasets/freeze/request';
import type { SavedFilter } from '@/lib/services/images/filters';
import { noClass } from '@/lib/services/images/image-filter';

const splitKinds = [
  { value: 'stratified', label: 'Stratified by class' },
  { value: 'group', label: 'Whole groups' },
  { value: 'column', label: 'From a column' },
  { value: 'file', label: 'From a table' },
  { value: 'folds', label: 'k folds' },
  { value: 'none', label: 'No split' },
] as const;

const percent = (defaultValue: number) => z.coerce.number().min(0).max(100).catch(defaultValue);

const ClassName = z.string().min(1).max(80);

/** The query of the page. Invalid values are replaced by defaults. */
const Asked = z.object({
  images: z.string().max(200).catch('all'),
  /** A query with one class gives a string, one with several classes a list. */
  classes: z.union([z.array(ClassName).max(2000), ClassName.transform((name) => [name])]).catch([]),
  split: z.enum(['stratified', 'group', 'column', 'file', 'folds', 'none']).catch('stratified'),
  seed: z.string().trim().min(1).max(80).catch('0'),
  train: percent(80),
  val: percent(10),
  test: percent(10),
  by: z.string().min(1).max(80).catch('group'),
  column: z.string().max(80).catch(''),
  folds: z.coerce.number().int().min(2).max(100).catch(5),
  table: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .catch(undefined),
});

type Asked = z.output<typeof Asked>;

export const readAsked = (query: Record<string, string | string[] | undefined>): Asked => Asked.parse(query);

/** The requested split; null while it is incomplete (no table, no column, or all shares are 0). */
export function splitOf(asked: Asked): SplitSpec | null {
  const shares = Object.fromEntries(
    (['train', 'val', 'test'] as const).flatMap((name) =>
      asked[name] > 0 ? [[name, asked[name] / 100]] : [],
    ),
  );
  const { seed } = asked;
  const specs = {
    stratified: { kind: 'stratified', seed, shares },
    group: { kind: 'group', by: asked.by, seed, shares },
    column: { kind: 'column', column: asked.column },
    file: { kind: 'file', sha256: asked.table },
    folds: { kind: 'folds', folds: asked.folds, seed },
    none: { kind: 'none' },
  };
  const parsed = SplitSpec.safeParse(specs[asked.split]);
  return parsed.success ? parsed.data : null;
}

/** Builds the filter from `all`, `labelled` or `saved:<id>`, and from the selected classes. */
export function filterOf(
  { images, classes }: Pick<Asked, 'images' | 'classes'>,
  saved: readonly SavedFilter[],
): FreezeFilter {
  const chosen = classes.length > 0 ? { classes } : {};
  if (images === 'labelled') return { labels: 'some', ...chosen };
  return { ...saved.find(({ id }) => `saved:${id}` === images)?.filter, ...chosen };
}

interface Props {
  classes: readonly { id: string; name: string }[];
  chosen: readonly string[];
}

/** Selects the classes. An empty selection includes all classes, also those that are added later. */
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
        {chosen.length === 0
          ? 'None selected: all classes are included.'
          : `${chosen.length} of ${classes.length} selected.`}
      </p>
    </fieldset>
  );
}

const splitHints: Record<Asked['split'], string> = {
  stratified: 'Same shares for each class. Look-alikes and images with the same group key stay together.',
  group: 'All images of a group go to one split, so the model is tested on unseen groups.',
  column: 'Uses the split in an imported image column.',
  file: 'Uses an uploaded table of image names.',
  folds: 'For cross-validation. Choose the test fold when you export.',
  none: 'All images in one split called "all".',
};

const usual = ['train', 'val', 'test'] as const;

/** The fields of the selected kind of split. */
export function SplitFields({ asked, columns }: { asked: Asked; columns: string[] }) {
  const { split } = asked;
  const groups = [
    { value: 'group', label: 'Group key (city, video, photographer)' },
    { value: 'wnid', label: 'WordNet id, as in Part-ImageNet' },
    { value: 'class', label: 'Class' },
    ...columns.map((name) => ({ value: name, label: `Column ${name}` })),
  ];
  return (
    <>
      <Field label="Split" hint={splitHints[split]}>
        {(control) => (
          <Select
            {...control}
            name="split"
            defaultValue={split}
            options={splitKinds.map((kind) => ({ ...kind }))}
          />
        )}
      </Field>
      {split === 'group' && (
        <Field label="Group by">
          {(control) => <Select {...control} name="by" defaultValue={asked.by} options={groups} />}
        </Field>
      )}
      {split === 'column' && (
        <Field
          label="Column"
          hint={columns.length === 0 ? 'No image columns. Choose another split.' : undefined}
        >
          {(control) => (
            <Select
              {...control}
              name="column"
              defaultValue={asked.column}
              options={[
                { value: '', label: 'Choose one' },
                ...columns.map((name) => ({ value: name, label: name })),
              ]}
            />
          )}
        </Field>
      )}
      {(split === 'stratified' || split === 'group') && (
        <div className="grid grid-cols-3 gap-2">
          {usual.map((name) => (
            <Field key={name} label={`${name}, %`}>
              {(control) => (
                <Input
                  {...control}
                  type="number"
                  name={name}
                  min={0}
                  max={100}
                  step="any"
                  defaultValue={asked[name]}
                />
              )}
            </Field>
          ))}
        </div>
      )}
      {split === 'folds' && (
        <Field label="Folds">
          {(control) => (
            <Input {...control} type="number" name="folds" min={2} max={100} defaultValue={asked.folds} />
          )}
        </Field>
      )}
      {(split === 'stratified' || split === 'group' || split === 'folds') && (
        <Field
          label="Seed"
          hint="The same seed assigns the same images to the same splits, even after adding images."
        >
          {(control) => <Input {...control} name="seed" maxLength={80} defaultValue={asked.seed} />}
        </Field>
      )}
      {split === 'file' && asked.table && <input type="hidden" name="table" value={asked.table} />}
    </>
  );
}
