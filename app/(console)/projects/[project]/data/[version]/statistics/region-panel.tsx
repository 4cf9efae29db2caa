import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { formatNumber, formatPercent } from '@/lib/core/format';
import { labelFlags } from '@/lib/core/schema';
import type { Statistics } from '@/lib/core/statistics';
import { namesOf } from './label-charts';

/** Objects and crowd regions of each class, the area of stuff, and flags. */
export function RegionPanel({ found }: { found: Statistics }) {
  const { objectCounts, stuffCounts, flagCounts, classes, totals } = found;
  const nameOf = namesOf(classes);
  const labelNames = namesOf([...found.parts, ...found.attributes]);
  const objects = [...new Set(objectCounts.map(({ className }) => className))].map((className) => {
    const own = objectCounts.filter((row) => row.className === className);
    const sum = (of: 'objects' | 'crowds', split?: string) =>
      own.reduce((all, row) => all + (split === undefined || row.split === split ? row[of] : 0), 0);
    return { className, sum };
  });
  const flagged = [...new Set(flagCounts.map(({ kind, id }) => `${kind} ${id}`))].map((key) => ({
    key,
    rows: flagCounts.filter(({ kind, id }) => `${kind} ${id}` === key),
  }));
  if (objects.length === 0 && stuffCounts.length === 0 && flagged.length === 0) return null;
  return (
    <Panel title="Objects, stuff and flags">
      <div className="flex flex-col gap-8">
        <SmallTable
          caption="Objects by class"
          rows={objects}
          rowKey={({ className }) => className ?? ''}
          empty={<p className="text-ink-2">No object is drawn.</p>}
          columns={[
            {
              key: 'class',
              title: 'Class',
              cell: ({ className }) => (className === null ? 'No class' : nameOf(className)),
            },
            {
              key: 'objects',
              title: 'Objects',
              numeric: true,
              cell: ({ sum }) => formatNumber(sum('objects')),
            },
            ...(totals.crowdRegions > 0
              ? [
                  {
                    key: 'crowds',
                    title: 'Crowd and ignore regions',
                    numeric: true,
                    cell: ({ sum }: (typeof objects)[number]) => formatNumber(sum('crowds')),
                  },
                ]
              : []),
            ...found.splits.slice(0, 6).map((split) => ({
              key: `split ${split}`,
              title: `Objects in ${split}`,
              numeric: true,
              cell: ({ sum }: (typeof objects)[number]) => formatNumber(sum('objects', split)),
            })),
          ]}
        />
        {stuffCounts.length > 0 && (
          <SmallTable
            caption="Stuff"
            rows={[...stuffCounts]}
            rowKey={({ className }) => className}
            empty={null}
            columns={[
              { key: 'class', title: 'Stuff class', cell: ({ className }) => nameOf(className) },
              { key: 'images', title: 'Images', numeric: true, cell: ({ images }) => formatNumber(images) },
              {
                key: 'share',
                title: 'Share of all pixels',
                numeric: true,
                cell: ({ share }) => (share.value === null ? '–' : formatPercent(share.value)),
              },
            ]}
          />
        )}
        {flagged.length > 0 && (
          <SmallTable
            caption="Flags"
            rows={flagged}
            rowKey={({ key }) => key}
            empty={null}
            columns={[
              {
                key: 'label',
                title: 'Label',
                cell: ({ rows: [row] }) =>
                  row && row.kind !== 'object' ? labelNames(row.id) : 'Whole object',
              },
              ...labelFlags.map((flag) => ({
                key: flag,
                title: { crowd: 'Crowd', occluded: 'Occluded', truncated: 'Truncated' }[flag],
                numeric: true,
                cell: ({ rows }: (typeof flagged)[number]) =>
                  formatNumber(rows.find((row) => row.flag === flag)?.labels ?? 0),
              })),
            ]}
          />
        )}
      </div>
    </Panel>
  );
}
