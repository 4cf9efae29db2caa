import { Field, Input, Select } from '@/app/_ui/forms';
import type { Asked } from './read-plan';
import { splitKinds } from './read-plan';

const says: Record<Asked['split'], string> = {
  stratified: 'Each class in the same shares. What looks alike or has one group key stays together.',
  group: 'All images of a group go to one split: a model is tried on groups it has never seen.',
  column: 'Images that were imported with their split keep it.',
  file: 'A split from elsewhere, by the names of the images.',
  folds: 'For cross-validation. An export chooses which fold is the test set.',
  none: 'Everything in one split called "all".',
};

const usual = ['train', 'val', 'test'] as const;

/** How images are dealt; only the fields of the chosen kind. */
export function SplitFields({ asked, columns }: { asked: Asked; columns: string[] }) {
  const { split } = asked;
  const groups = [
    { value: 'group', label: 'Group key (city, video, photographer)' },
    { value: 'wnid', label: 'WordNet id, as Part-ImageNet' },
    { value: 'class', label: 'Class' },
    ...columns.map((name) => ({ value: name, label: `Column ${name}` })),
  ];
  return (
    <>
      <Field label="Split" hint={says[split]}>
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
        <Field label="Groups by">
          {(control) => <Select {...control} name="by" defaultValue={asked.by} options={groups} />}
        </Field>
      )}
      {split === 'column' && (
        <Field
          label="Column"
          hint={columns.length === 0 ? 'No image has a column: choose another split.' : undefined}
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
        <Field label="Seed" hint="The same seed deals the same images alike, also when more have come.">
          {(control) => <Input {...control} name="seed" maxLength={80} defaultValue={asked.seed} />}
        </Field>
      )}
      {split === 'file' && asked.table && <input type="hidden" name="table" value={asked.table} />}
    </>
  );
}
