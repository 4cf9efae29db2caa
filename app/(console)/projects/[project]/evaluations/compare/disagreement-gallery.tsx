import Link from 'next/link';
import { cn } from '@/app/_ui/cn';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { Thumbnail } from '@/app/_ui/thumbnail';
import { formatNumber, formatPercent } from '@/lib/core/format';
import type { Disagreement, DisagreementQuery } from '@/lib/services/evaluations/compare-evaluations';
import type { EvaluationView } from '@/lib/services/evaluations/list-evaluations';
import { GallerySteps, GroupLinks } from '../gallery-navigation';

interface Props {
  gallery: { total: number; items: Disagreement[] };
  query: DisagreementQuery;
  first: EvaluationView;
  second: EvaluationView;
  /** URL with both evaluation ids. */
  path: string;
  home: string;
}

const choices = [
  ['first', 'only the first is right'],
  ['second', 'only the second is right'],
  ['neither', 'both are wrong'],
  ['both', 'both are right'],
] as const;

export function DisagreementGallery({ gallery: { total, items }, query, first, second, path, home }: Props) {
  const { right, offset, limit } = query;
  const at = (from: number) => `${path}&right=${right}&offset=${Math.max(0, from)}#disagreements`;
  return (
    <Panel title="Images" description={`${formatNumber(total)}, largest difference first.`}>
      <div id="disagreements" className="grid scroll-mt-4 gap-3">
        <GroupLinks
          label="Where"
          choices={choices}
          chosen={right}
          at={(value) => `${path}&right=${value}#disagreements`}
        />
        {items.length === 0 ? (
          <EmptyState title="No images match">Choose another group.</EmptyState>
        ) : (
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-3">
            {items.map((image) => (
              <li key={image.imageId} className="min-w-0 text-xs">
                <Link
                  href={`${home}/evaluations/${second.id}/images/${image.imageId}`}
                  className="group block"
                >
                  <Thumbnail
                    src={image.thumbnail?.url}
                    alt={image.name}
                    width={image.thumbnail?.width ?? 128}
                    height={image.thumbnail?.height ?? 128}
                    className="group-hover:outline-2 group-hover:outline-accent"
                  />
                  <span className="mt-1 block truncate font-medium">{image.className}</span>
                </Link>
                {(
                  [
                    [first.model, image.first],
                    [second.model, image.second],
                  ] as const
                ).map(([model, { predicted, pTrue }], i) => (
                  <span
                    key={i === 0 ? 'first' : 'second'}
                    title={model}
                    className={cn(
                      'block truncate tabular-nums',
                      predicted === image.className ? 'text-ink-3' : 'text-bad',
                    )}
                  >
                    {i === 0 ? 'first' : 'second'}: {predicted}, p {formatPercent(pTrue, 0)}
                  </span>
                ))}
              </li>
            ))}
          </ul>
        )}
        <GallerySteps offset={offset} limit={limit} shown={items.length} total={total} hrefAt={at} />
      </div>
    </Panel>
  );
}
