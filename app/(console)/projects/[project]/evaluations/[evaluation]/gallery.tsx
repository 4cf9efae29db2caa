import Link from 'next/link';
import { ButtonLink } from '@/app/_ui/button';
import { cn } from '@/app/_ui/cn';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { Thumbnail } from '@/app/_ui/thumbnail';
import type { GalleryImage, GalleryQuery } from '@/lib/evaluate/gallery';
import { formatNumber, formatPercent, formatShort } from '@/lib/format';
import { galleryPath } from './gallery-path';

const sorts = [
  ['pTrue', 'least sure of the true class'],
  ['irfs', 'relies on the background'],
  ['saliency delta', 'looks beside the object'],
  ['drop mix.other', 'falls on other backgrounds'],
  ['drop gray.background', 'falls on gray'],
] as const;

interface Props {
  gallery: { total: number; items: GalleryImage[] };
  query: GalleryQuery;
  path: string;
  home: string;
}

/** The images behind the numbers: every point, bar and line leads here. */
export function Gallery({ gallery: { total, items }, query, path, home }: Props) {
  const { class: className, predicted, right, sort, offset, limit } = query;
  const now = { className, predicted, isRight: right && right === 'yes', sort };
  const chosen = [
    className && `of ${className}`,
    predicted && `taken for ${predicted}`,
    right && (right === 'yes' ? 'right' : 'wrong'),
  ].filter(Boolean);
  const link = (label: string, isNow: boolean, href: string) => (
    <Link
      key={label}
      href={href}
      aria-current={isNow ? 'true' : undefined}
      className={cn(
        'rounded-sm px-1.5 py-0.5 underline-offset-2 hover:underline',
        isNow && 'bg-accent-soft font-medium',
      )}
    >
      {label}
    </Link>
  );
  return (
    <Panel
      title="Images"
      description={`${formatNumber(total)} ${chosen.length > 0 ? chosen.join(', ') : 'in all'}.`}
    >
      <div id="gallery" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-2">
        <span className="text-ink-3">First those that</span>
        {sorts.map(([key, label]) => link(label, sort === key, galleryPath(path, { ...now, sort: key })))}
        <span className="text-ink-3">and are</span>
        {link('all', right === undefined, galleryPath(path, { ...now, isRight: undefined }))}
        {link('wrong', right === 'no', galleryPath(path, { ...now, isRight: false }))}
        {link('right', right === 'yes', galleryPath(path, { ...now, isRight: true }))}
        {(className || predicted) &&
          link('any class', false, galleryPath(path, { ...now, className: undefined, predicted: undefined }))}
      </div>
      {items.length === 0 ? (
        <EmptyState title="No image is like that">Choose another class, or all images.</EmptyState>
      ) : (
        <ul className="mt-3 grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-3">
          {items.map((image) => (
            <li key={image.imageId} className="min-w-0 text-xs">
              <Link href={`${home}/images/${image.imageId}`} className="group block">
                <Thumbnail
                  src={image.thumbnail?.url}
                  alt={image.name}
                  width={image.thumbnail?.width ?? 128}
                  height={image.thumbnail?.height ?? 128}
                  className="group-hover:outline-2 group-hover:outline-accent"
                />
                <span className="mt-1 block truncate">{image.className}</span>
              </Link>
              <span className={cn('block truncate', image.isRight ? 'text-ink-3' : 'text-bad')}>
                {image.isRight ? 'right' : `taken for ${image.predicted}`}
              </span>
              <span className="block text-ink-3 tabular-nums">
                p {formatPercent(image.scores.pTrue)}
                {sort !== 'pTrue' && typeof image.scores[sort] === 'number' && (
                  <> · {formatShort(image.scores[sort], 2)}</>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {(offset > 0 || offset + items.length < total) && (
        <div className="mt-3 flex items-center gap-2 text-xs text-ink-3">
          <span className="flex-1">
            {formatNumber(offset + 1)} to {formatNumber(offset + items.length)} of {formatNumber(total)}
          </span>
          {offset > 0 && (
            <ButtonLink
              size="small"
              href={galleryPath(path, { ...now, offset: Math.max(0, offset - limit) })}
            >
              Before
            </ButtonLink>
          )}
          {offset + items.length < total && (
            <ButtonLink size="small" href={galleryPath(path, { ...now, offset: offset + limit })}>
              Next
            </ButtonLink>
          )}
        </div>
      )}
    </Panel>
  );
}
