import { ChevronDown, X } from 'lucide-react';
import Link from 'next/link';
import { Button } from '@/app/_ui/button';
import { Field, Input, Select } from '@/app/_ui/forms';
import { formatNumber } from '@/lib/core/format';
import type { FilterChoices } from '@/lib/services/images/filters';
import { type ImageFilter, imageQuery, noClass } from '@/lib/services/images/image-filter';

type Props = { path: string; filter: ImageFilter; choices: FilterChoices };

const states = [
  { value: '', label: 'Any state' },
  { value: 'active', label: 'Active' },
  { value: 'excluded', label: 'Excluded' },
  { value: 'broken', label: 'Broken' },
];

const further = [
  'labels',
  'target',
  'attribute',
  'worker',
  'agreementFrom',
  'agreementTo',
  'riskFrom',
  'riskTo',
  'sideFrom',
  'sideTo',
  'lookalikes',
  'group',
  'slice',
] as const;

const optionsOf = (any: string, entries: { id: string; name: string }[]) => [
  { value: '', label: any },
  ...entries.map(({ id, name }) => ({ value: id, label: name })),
];

/** A plain form, so that every filter has its own URL. */
export function ImageFilters({ path, filter, choices }: Props) {
  const set = further.filter((name) => filter[name] !== undefined).length;
  const classes = [
    { value: '', label: 'All classes' },
    ...choices.classes.map(({ className, count }) => ({
      value: className ?? noClass,
      label: `${className ?? 'no class'} (${formatNumber(count)})`,
    })),
  ];
  return (
    <form action={path} className="relative flex flex-wrap items-start gap-2">
      <Input
        type="search"
        name="text"
        aria-label="Search by name"
        placeholder="Search by name"
        defaultValue={filter.text}
        className="w-52"
      />
      <Select
        name="class"
        aria-label="Class"
        options={classes}
        defaultValue={filter.class ?? ''}
        className="w-48"
      />
      <Select
        name="state"
        aria-label="State"
        options={states}
        defaultValue={filter.state ?? ''}
        className="w-32"
      />
      <details className="group/more" name="more-conditions">
        <summary className="flex h-7 cursor-pointer list-none items-center gap-1.5 rounded-md border border-line bg-raised px-2.5 font-medium select-none hover:bg-hover [&::-webkit-details-marker]:hidden">
          More conditions
          {set > 0 && <span className="rounded-sm bg-accent-soft px-1 text-xs text-accent">{set}</span>}
          <ChevronDown aria-hidden className="size-3.5 text-ink-3 group-open/more:rotate-180" />
        </summary>
        <div className="absolute top-full left-0 z-30 mt-1 grid w-[34rem] max-w-[90vw] grid-cols-2 gap-3 rounded-lg border border-line bg-raised p-4 shadow-overlay">
          <FurtherConditions filter={filter} choices={choices} />
          <div className="col-span-2 flex justify-end">
            <Button type="submit">Apply</Button>
          </div>
        </div>
      </details>
      <Button type="submit">Filter</Button>
    </form>
  );
}

function FurtherConditions({ filter, choices }: Omit<Props, 'path'>) {
  return (
    <>
      <Field label="Labels">
        {(control) => (
          <Select
            {...control}
            name="labels"
            defaultValue={filter.labels ?? ''}
            options={[
              { value: '', label: 'With or without' },
              { value: 'none', label: 'No labels yet' },
              { value: 'some', label: 'At least one label' },
            ]}
          />
        )}
      </Field>
      <Field label="Has mask of">
        {(control) => (
          <Select
            {...control}
            name="target"
            defaultValue={filter.target ?? ''}
            options={optionsOf('Any part', choices.targets)}
          />
        )}
      </Field>
      <Field label="Attribute">
        {(control) => (
          <Select
            {...control}
            name="attribute"
            defaultValue={filter.attribute ?? ''}
            options={optionsOf('Any attribute', choices.attributes)}
          />
        )}
      </Field>
      {choices.workers.length > 0 && (
        <Field label="Answered by">
          {(control) => (
            <Select
              {...control}
              name="worker"
              defaultValue={filter.worker ?? ''}
              options={optionsOf('Anybody', choices.workers)}
            />
          )}
        </Field>
      )}
      <Range label="Agreement, 0 to 1" name="agreement" filter={filter} step="0.01" />
      <Range label="Expected error, 0 to 1" name="risk" filter={filter} step="0.01" />
      <Range label="Shorter side, pixels" name="side" filter={filter} step="1" />
      <Field label="Lookalikes">
        {(control) => (
          <Select
            {...control}
            name="lookalikes"
            defaultValue={filter.lookalikes ?? ''}
            options={[
              { value: '', label: 'All images' },
              { value: 'any', label: 'Images with lookalikes' },
              ...(filter.lookalikes && filter.lookalikes !== 'any'
                ? [{ value: filter.lookalikes, label: 'One group' }]
                : []),
            ]}
          />
        )}
      </Field>
      <Field label="Group" hint={`"${noClass}" for images without one.`}>
        {(control) => <Input {...control} name="group" defaultValue={filter.group} />}
      </Field>
      {choices.slices.length > 0 && (
        <Field label="Slice">
          {(control) => (
            <Select
              {...control}
              name="slice"
              defaultValue={filter.slice ?? ''}
              options={optionsOf('All images', choices.slices)}
            />
          )}
        </Field>
      )}
    </>
  );
}

type RangeProps = { label: string; name: 'agreement' | 'risk' | 'side'; filter: ImageFilter; step: string };

function Range({ label, name, filter, step }: RangeProps) {
  const limits = name === 'side' ? { min: 1 } : { min: 0, max: 1 };
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-xs font-medium text-ink-2">{label}</legend>
      <span className="flex items-center gap-2">
        {(['From', 'To'] as const).map((end) => (
          <Input
            key={end}
            type="number"
            name={`${name}${end}`}
            aria-label={`${label}: ${end === 'From' ? 'at least' : 'at most'}`}
            placeholder={end === 'From' ? 'at least' : 'at most'}
            step={step}
            {...limits}
            defaultValue={filter[`${name}${end}`]}
          />
        ))}
      </span>
    </fieldset>
  );
}

const nameOf = (entries: { id: string; name: string }[], id: string) =>
  entries.find((entry) => entry.id === id)?.name ?? id;

const words: { [Name in keyof ImageFilter]-?: (value: string, choices: FilterChoices) => string } = {
  text: (value) => `name has "${value}"`,
  class: (value, choices) =>
    value === noClass ? 'no class' : `class ${nameOf(choices.schemaClasses, value)}`,
  state: (value) => value,
  upload: () => 'from one upload',
  labels: (value) => (value === 'none' ? 'no labels yet' : 'labelled'),
  target: (value, choices) => `mask of ${nameOf(choices.targets, value)}`,
  attribute: (value, choices) => `has ${nameOf(choices.attributes, value)}`,
  worker: (value, choices) => `answered by ${nameOf(choices.workers, value)}`,
  agreementFrom: (value) => `agreement ≥ ${value}`,
  agreementTo: (value) => `agreement ≤ ${value}`,
  riskFrom: (value) => `expected error ≥ ${value}`,
  riskTo: (value) => `expected error ≤ ${value}`,
  sideFrom: (value) => `shorter side ≥ ${value} px`,
  sideTo: (value) => `shorter side ≤ ${value} px`,
  lookalikes: (value) => (value === 'any' ? 'has lookalikes' : 'one group of lookalikes'),
  group: (value) => (value === noClass ? 'no group' : `group ${value}`),
  slice: (value, choices) => `slice ${nameOf(choices.slices, value)}`,
};

/** The active conditions, each with a link that removes it. */
export function FilterChips({ path, filter, choices }: Props) {
  const names = (Object.keys(words) as (keyof ImageFilter)[]).filter((name) => filter[name] !== undefined);
  if (names.length === 0) return null;
  return (
    <ul aria-label="Conditions" className="flex flex-wrap items-center gap-1.5">
      {names.map((name) => {
        const text = words[name](String(filter[name]), choices);
        const rest = imageQuery({ ...filter, [name]: undefined });
        return (
          <li key={name}>
            <Link
              href={`${path}?${rest}`}
              aria-label={`Remove filter: ${text}`}
              className="flex h-6 items-center gap-1 rounded-md bg-accent-soft px-2 text-xs text-accent hover:bg-hover"
            >
              {text}
              <X aria-hidden className="size-3" />
            </Link>
          </li>
        );
      })}
      <li>
        <Link href={path} className="px-1 text-xs text-ink-2 hover:text-ink">
          Clear all
        </Link>
      </li>
    </ul>
  );
}
