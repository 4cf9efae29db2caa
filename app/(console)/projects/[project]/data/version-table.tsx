import Link from 'next/link';
import { Badge } from '@/app/_ui/badge';
import { SmallTable } from '@/app/_ui/table';
import { formatDateTime, formatNumber } from '@/lib/core/format';
import type { VersionSummary } from '@/lib/services/datasets/versions/list-versions';
import { splitBrief, splitCounts } from './split-words';

export function VersionTable({ versions, path }: { versions: VersionSummary[]; path: string }) {
  return (
    <SmallTable
      caption="Versions"
      rows={versions}
      rowKey={({ id }) => id}
      empty={null}
      columns={[
        {
          key: 'number',
          title: 'Version',
          className: 'whitespace-nowrap',
          cell: ({ number, tags, supersededBy }) => (
            <span className="inline-flex items-center gap-2">
              <Link href={`${path}/${number}`} className="font-medium underline-offset-2 hover:underline">
                Version {number}
              </Link>
              {tags.map((tag) => (
                <Badge key={tag}>{tag}</Badge>
              ))}
              {supersededBy !== null && <Badge tone="warn">superseded by {supersededBy}</Badge>}
            </span>
          ),
        },
        {
          key: 'hash',
          title: 'Hash',
          cell: ({ hash }) => (
            <span title={hash} className="font-mono text-xs text-ink-2">
              {hash.slice(0, 12)}
            </span>
          ),
        },
        { key: 'images', title: 'Images', numeric: true, cell: ({ images }) => formatNumber(images) },
        { key: 'labels', title: 'Labels', numeric: true, cell: ({ labels }) => formatNumber(labels) },
        {
          key: 'classes',
          title: 'Classes',
          numeric: true,
          cell: ({ card }) => formatNumber(Object.keys(card.counts.byClass).filter(Boolean).length),
        },
        {
          key: 'split',
          title: 'Split',
          className: 'whitespace-nowrap tabular-nums',
          cell: ({ card }) => (
            <span title={splitCounts(card.counts.bySplit)}>{splitBrief(card.counts.bySplit)}</span>
          ),
        },
        {
          key: 'description',
          title: 'Description',
          cell: ({ description }) => (
            <span className="line-clamp-1 max-w-96 min-w-24 wrap-anywhere">{description || '–'}</span>
          ),
        },
        { key: 'exports', title: 'Exports', numeric: true, cell: ({ exports }) => formatNumber(exports) },
        { key: 'by', title: 'By', className: 'whitespace-nowrap', cell: ({ by }) => by ?? '–' },
        {
          key: 'at',
          title: 'When, UTC',
          className: 'whitespace-nowrap tabular-nums',
          cell: ({ at }) => formatDateTime(at),
        },
      ]}
    />
  );
}
