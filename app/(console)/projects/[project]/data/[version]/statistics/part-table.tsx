import { SmallTable } from '@/app/_ui/table';
import { formatNumber, formatPercentInterval } from '@/lib/core/format';
import { wilson } from '@/lib/core/quality/interval';
import type { Statistics } from '@/lib/core/statistics';
import { namesOf } from './names-of';

/** How often each part of a class was asked about and found, over all parts of the version. */
export function PartTable({ found, className }: { found: Statistics; className: string }) {
  const nameOf = namesOf(found.parts);
  const own = found.partCounts.filter((row) => row.className === className);
  const rows = [...new Set(own.map(({ part }) => part))].map((part) => {
    const sum = (of: 'present' | 'absent' | 'notAsked', split?: string) =>
      own
        .filter((row) => row.part === part && (split === undefined || row.split === split))
        .reduce((all, row) => all + row[of], 0);
    return { part, sum };
  });
  return (
    <SmallTable
      caption="Parts of the class"
      rows={rows}
      rowKey={({ part }) => part}
      empty={<p className="text-ink-2">No image of this class is in the version.</p>}
      columns={[
        { key: 'part', title: 'Part', cell: ({ part }) => nameOf(part) },
        {
          key: 'asked',
          title: 'Asked',
          numeric: true,
          cell: ({ sum }) => formatNumber(sum('present') + sum('absent')),
        },
        { key: 'present', title: 'Present', numeric: true, cell: ({ sum }) => formatNumber(sum('present')) },
        { key: 'absent', title: 'Absent', numeric: true, cell: ({ sum }) => formatNumber(sum('absent')) },
        {
          key: 'share',
          title: 'Present of asked, 95 %',
          numeric: true,
          cell: ({ sum }) => {
            const share = wilson(sum('present'), sum('present') + sum('absent'));
            return share ? formatPercentInterval(share.value, [share.low, share.high]) : '–';
          },
        },
        {
          key: 'notAsked',
          title: 'Not asked',
          numeric: true,
          cell: ({ sum }) => formatNumber(sum('notAsked')),
        },
        ...found.splits.slice(0, 6).map((split) => ({
          key: `split ${split}`,
          title: `Present in ${split}`,
          numeric: true,
          cell: ({ sum }: (typeof rows)[number]) => formatNumber(sum('present', split)),
        })),
      ]}
    />
  );
}
