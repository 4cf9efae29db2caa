import Link from 'next/link';
import { Button } from '@/app/_ui/button';
import { cn } from '@/app/_ui/cn';
import { Field, type Option, Select } from '@/app/_ui/forms';
import type { GalleryQuery } from '@/lib/services/evaluations/gallery';
import { scoreWords } from './score-words';

interface Props {
  query: GalleryQuery;
  path: string;
  /** Of the images of the evaluation. */
  classes: readonly string[];
  scores: readonly string[];
}

const any = { value: '', label: 'any' };

const plain = (values: readonly string[]): Option[] => values.map((value) => ({ value, label: value }));

/** Words that a narrow list would cut off. */
const isLong = (options: readonly Option[]): boolean => (options[0]?.label.length ?? 0) > 12;

/** A form that only changes the address: it works before any script does. */
export function GalleryFilters({ query, path, classes, scores }: Props) {
  const variants = scores.flatMap((name) => /^right ([^ ]+)$/.exec(name)?.[1] ?? []);
  const groups = scores.filter((name) => name.startsWith('in ')).map((name) => name.slice('in '.length));
  const levels = scores
    .filter((name) => query.variant && name.startsWith(`right ${query.variant} `))
    .map((name) => name.slice(`right ${query.variant} `.length));
  const sorts = scores.filter((name) => !name.startsWith('in ') && !/^(right|valid) /.test(name));
  const { score, from, to } = query;
  const fields: [keyof GalleryQuery, string, Option[]][] = [
    ['class', 'Class', [any, ...plain(classes)]],
    ['predicted', 'Taken for', [any, ...plain(classes)]],
    [
      'right',
      query.variant ? 'In the variant' : 'The model is',
      [any, { value: 'no', label: 'wrong' }, { value: 'yes', label: 'right' }],
    ],
    ['variant', 'Variant', [{ value: '', label: 'pictures as they are' }, ...plain(variants)]],
    ...(levels.length > 0
      ? ([['level', 'Level', [any, ...plain(levels)]]] as [keyof GalleryQuery, string, Option[]][])
      : []),
    ...(groups.length > 0
      ? ([['group', 'Group', [any, ...plain(groups)]]] as [keyof GalleryQuery, string, Option[]][])
      : []),
    ['sort', 'First', sorts.map((value) => ({ value, label: scoreWords(value) }))],
  ];
  return (
    <form action={`${path}#gallery`} className="flex flex-wrap items-end gap-2" aria-label="Which images">
      {fields.map(([name, label, options]) => (
        <div key={name} className={cn('min-w-0', isLong(options) ? 'w-52' : 'w-36')}>
          <Field label={label}>
            {(control) => (
              <Select {...control} name={name} options={options} defaultValue={String(query[name] ?? '')} />
            )}
          </Field>
        </div>
      ))}
      {query.also && <input type="hidden" name="also" value={query.also} />}
      {score && (
        <>
          <input type="hidden" name="score" value={score} />
          {from !== undefined && <input type="hidden" name="from" value={from} />}
          {to !== undefined && <input type="hidden" name="to" value={to} />}
        </>
      )}
      <Button type="submit">Show</Button>
      <Link href={`${path}#gallery`} className="pb-1.5 text-xs text-ink-2 underline-offset-2 hover:underline">
        All images
      </Link>
    </form>
  );
}
