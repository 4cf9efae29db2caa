import Link from 'next/link';
import type { ReactNode } from 'react';
import { Button } from '@/app/_ui/button';
import { cn } from '@/app/_ui/cn';
import { EmptyState } from '@/app/_ui/empty-state';
import { Field, type Option, Select } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { Thumbnail } from '@/app/_ui/thumbnail';
import { formatCount, formatPercent, formatShort } from '@/lib/core/format';
import { rightKey } from '@/lib/core/robustness/report/image-scores';
import type { GalleryImage, GalleryQuery } from '@/lib/services/evaluations/gallery';
import { GallerySteps } from '../gallery-navigation';
import { GalleryKeys } from './gallery-keys';
import { galleryAddress, scoreWords } from './gallery-query';

interface Props {
  gallery: { total: number; items: GalleryImage[] };
  query: GalleryQuery;
  path: string;
  classes: readonly string[];
  scores: readonly string[];
  /** Form of the checkboxes; null if the user has no selection actions. */
  form: string | null;
  children: ReactNode;
}

/** Gallery of the evaluated images. */
export function Gallery({ gallery: { total, items }, query, path, classes, scores, form, children }: Props) {
  const { offset, limit } = query;
  return (
    <Panel title="Images" description={`${formatCount(total, 'image')}${wordsOf(query)}.`}>
      <div id="gallery" className="grid scroll-mt-4 gap-3">
        <GalleryFilters query={query} path={path} classes={classes} scores={scores} />
        {children}
        {items.length === 0 ? (
          <EmptyState title="No images match">Choose another class or group, or show all images.</EmptyState>
        ) : (
          <GalleryKeys>
            <ul className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-3">
              {items.map((image) => (
                <Picture key={image.imageId} image={image} query={query} path={path} form={form} />
              ))}
            </ul>
          </GalleryKeys>
        )}
        <GallerySteps
          offset={offset}
          limit={limit}
          shown={items.length}
          total={total}
          hrefAt={(to) => galleryAddress(path, { ...query, offset: to })}
        />
      </div>
    </Panel>
  );
}

interface PictureProps {
  image: GalleryImage;
  query: GalleryQuery;
  path: string;
  form: string | null;
}

function Picture({ image, query: { sort, variant, level }, path, form }: PictureProps) {
  const { imageId, name, className, predicted, isRight, scores, thumbnail } = image;
  const inVariant = variant ? scores[rightKey(variant, level)] : undefined;
  const look = new URLSearchParams(variant ? { variant } : {}).toString();
  return (
    <li className="relative min-w-0 text-xs">
      {form && (
        <input
          type="checkbox"
          name="image"
          form={form}
          value={imageId}
          aria-label={`Select ${name}`}
          className="absolute top-1.5 left-1.5 z-10 size-4 accent-accent"
        />
      )}
      <Link href={`${path}/images/${imageId}${look && `?${look}`}`} data-image className="group block">
        <Thumbnail
          src={thumbnail?.url}
          alt={name}
          width={thumbnail?.width ?? 128}
          height={thumbnail?.height ?? 128}
          className="group-hover:outline-2 group-hover:outline-accent"
        />
        <span className="mt-1 block truncate">{className}</span>
      </Link>
      <span className={cn('block truncate', isRight ? 'text-ink-3' : 'text-bad')}>
        {isRight ? 'correct' : `predicted as ${predicted}`}
      </span>
      <span className="block text-ink-3 tabular-nums">
        p {formatPercent(scores.pTrue)}
        {sort !== 'pTrue' && typeof scores[sort] === 'number' && <> · {formatShort(scores[sort], 2)}</>}
        {typeof inVariant === 'number' && <> · {formatPercent(inVariant, 0)} correct</>}
      </span>
    </li>
  );
}

function wordsOf({
  class: className,
  predicted,
  right,
  variant,
  level,
  group,
  also,
  score,
  from,
  to,
}: GalleryQuery) {
  const where = variant ? ` in ${variant}${level ? `, level ${level}` : ''}` : '';
  const words = [
    className && `of ${className}`,
    predicted && `predicted as ${predicted}`,
    right ? `${right === 'yes' ? 'correct' : 'wrong'}${where}` : where && `with a picture${where}`,
    group,
    also,
    score &&
      `with ${score}${from === undefined ? '' : ` from ${formatShort(from, 2)}`}${to === undefined ? '' : ` to ${formatShort(to, 2)}`}`,
  ].filter(Boolean);
  return words.length > 0 ? `: ${words.join(', ')}` : ' in total';
}

interface GalleryFiltersProps {
  query: GalleryQuery;
  path: string;
  /** Classes of the evaluated images. */
  classes: readonly string[];
  scores: readonly string[];
}

const any = { value: '', label: 'any' };

const plain = (values: readonly string[]): Option[] => values.map((value) => ({ value, label: value }));

/** Whether the options need a wide field. */
const isLong = (options: readonly Option[]): boolean => (options[0]?.label.length ?? 0) > 12;

/** A GET form, which works without JavaScript. */
function GalleryFilters({ query, path, classes, scores }: GalleryFiltersProps) {
  const variants = scores.flatMap((name) => /^right ([^ ]+)$/.exec(name)?.[1] ?? []);
  const groups = scores.filter((name) => name.startsWith('in ')).map((name) => name.slice('in '.length));
  const levels = scores
    .filter((name) => query.variant && name.startsWith(`right ${query.variant} `))
    .map((name) => name.slice(`right ${query.variant} `.length));
  const sorts = scores.filter((name) => !name.startsWith('in ') && !/^(right|valid) /.test(name));
  const { score, from, to } = query;
  const fields: [keyof GalleryQuery, string, Option[]][] = [
    ['class', 'Class', [any, ...plain(classes)]],
    ['predicted', 'Predicted', [any, ...plain(classes)]],
    [
      'right',
      query.variant ? 'Prediction in the variant' : 'Prediction',
      [any, { value: 'no', label: 'wrong' }, { value: 'yes', label: 'correct' }],
    ],
    ['variant', 'Variant', [{ value: '', label: 'clean images' }, ...plain(variants)]],
    ...(levels.length > 0
      ? ([['level', 'Level', [any, ...plain(levels)]]] as [keyof GalleryQuery, string, Option[]][])
      : []),
    ...(groups.length > 0
      ? ([['group', 'Group', [any, ...plain(groups)]]] as [keyof GalleryQuery, string, Option[]][])
      : []),
    ['sort', 'Sort order', sorts.map((value) => ({ value, label: scoreWords(value) }))],
  ];
  return (
    <form action={`${path}#gallery`} className="flex flex-wrap items-end gap-2" aria-label="Filter images">
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
