import { BarChart, DensityMap, HeatMap } from '@/app/_ui/charts';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { Tabs } from '@/app/_ui/tabs';
import { formatCount, formatNumber, formatPercent, formatPercentInterval } from '@/lib/core/format';
import { wilson } from '@/lib/core/quality/interval';
import { GRID, type MaskKind, type Statistics } from '@/lib/core/statistics';
import { namesOf } from './label-charts';

interface Props {
  found: Statistics;
  className: string | undefined;
  path: string;
}

interface Target {
  kind: MaskKind;
  id: string;
  name: string;
}

/** Parts of one class at a time: a hundred parts on one page tell nobody anything. */
export function PartCharts({ found, className, path }: Props) {
  const { classes, parts, partCounts } = found;
  const withParts = classes.filter(({ id }) => parts.some((part) => part.classes.includes(id)));
  const counted = (id: string) =>
    partCounts.filter((row) => row.className === id).reduce((sum, row) => sum + row.present, 0);
  const chosen =
    withParts.find(({ id }) => id === className) ??
    withParts.find(({ id }) => counted(id) > 0) ??
    withParts[0];
  const own = parts.filter((part) => chosen && part.classes.includes(chosen.id));
  const targets: Target[] = [
    { kind: 'object', id: '', name: 'Whole object' },
    ...own.map(({ id, name }): Target => ({ kind: 'part', id, name })),
    ...found.attributes.map(({ id, name }): Target => ({ kind: 'attribute', id, name })),
  ];
  const hrefOf = (id: string) => `${path}?class=${encodeURIComponent(id)}#parts`;
  return (
    <div id="parts">
      <Panel title={parts.length > 0 ? 'Parts and masks' : 'Masks'}>
        <div className="flex flex-col gap-8">
          {withParts.length > 1 && chosen && (
            <Tabs
              label="Class"
              current={hrefOf(chosen.id)}
              tabs={withParts.map(({ id, name }) => ({ label: name, href: hrefOf(id), count: counted(id) }))}
            />
          )}
          {chosen && <PartTable found={found} className={chosen.id} />}
          <div className="grid gap-8 xl:grid-cols-2">
            <SizeChart found={found} targets={targets} />
            {own.length > 1 && <PartsTogether found={found} own={own} />}
          </div>
          <Positions found={found} targets={targets} />
        </div>
      </Panel>
    </div>
  );
}

function SizeChart({ found, targets }: { found: Statistics; targets: Target[] }) {
  const rows = targets.flatMap((target) => {
    const sizes = found.sizes.find(({ kind, id }) => kind === target.kind && id === target.id);
    return sizes && sizes.n > 0 ? [{ name: `${target.name} (${formatNumber(sizes.n)})`, sizes }] : [];
  });
  return (
    <BarChart
      title="Area of masks"
      note="Median share of the image, and the range of the middle half (25 to 75 %); behind each name its masks. Quantiles are within 1.2 % of themselves."
      categories={rows.map(({ name }) => name)}
      series={[
        {
          name: 'median',
          values: rows.map(({ sizes }) => sizes.quantiles.median.value),
          intervals: rows.map(({ sizes: { quantiles } }) =>
            quantiles.p25.value === null || quantiles.p75.value === null
              ? null
              : [quantiles.p25.value, quantiles.p75.value],
          ),
        },
      ]}
      format={(value) => formatPercent(value, value < 0.0995 ? 1 : 0)}
    />
  );
}

function PartsTogether({ found, own }: { found: Statistics; own: readonly { id: string; name: string }[] }) {
  const at = own.map(({ id }) => found.parts.findIndex((part) => part.id === id));
  const { together, asked } = found.partPairs;
  return (
    <HeatMap
      title="Co-occurring parts"
      note="Share of the objects in which both were asked about that show both; the diagonal is the part alone."
      rows={own.map(({ name }) => name)}
      columns={own.map(({ name }) => name)}
      rowTitle="Part"
      columnTitle="part"
      domain={[0, 1]}
      format={(value) => formatNumber(value, 2)}
      values={at.map((a) =>
        at.map((b) => {
          const n = asked[a]?.[b] ?? 0;
          return n === 0 ? null : (together[a]?.[b] ?? 0) / n;
        }),
      )}
    />
  );
}

function Positions({ found, targets }: { found: Statistics; targets: Target[] }) {
  const maps = targets.flatMap((target) => {
    const map = found.positions.find(({ kind, id }) => kind === target.kind && id === target.id);
    return map && map.n > 0 ? [{ ...map, name: target.name }] : [];
  });
  if (maps.length === 0) return <EmptyState title="No masks">This version has no masks to show.</EmptyState>;
  return (
    <section className="flex flex-col gap-3">
      <h3 className="font-semibold">Where masks lie</h3>
      <p className="max-w-prose text-xs text-ink-3">
        Every image is stretched to one square of {GRID} × {GRID} cells; a cell shows the mean share of it
        that the masks cover.
      </p>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-6">
        {maps.map(({ kind, id, name, n, cells }) => (
          <DensityMap
            key={`${kind} ${id}`}
            title={name}
            note={formatCount(n, 'mask')}
            grid={GRID}
            cells={cells}
          />
        ))}
      </div>
    </section>
  );
}

/** How often each part of a class was asked about and found, over all parts of the version. */
function PartTable({ found, className }: { found: Statistics; className: string }) {
  const nameOf = namesOf(found.parts);
  const own = found.partCounts.filter((row) => row.className === className);
  const rows = [...new Set(own.map(({ part }) => part))].map((part) => {
    const sum = (of: 'present' | 'instances' | 'absent' | 'notAsked', split?: string) =>
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
          title: 'Annotated',
          numeric: true,
          cell: ({ sum }) => formatNumber(sum('present') + sum('absent')),
        },
        { key: 'present', title: 'Present', numeric: true, cell: ({ sum }) => formatNumber(sum('present')) },
        {
          key: 'instances',
          title: 'Instances',
          numeric: true,
          cell: ({ sum }) => formatNumber(sum('instances')),
        },
        { key: 'absent', title: 'Absent', numeric: true, cell: ({ sum }) => formatNumber(sum('absent')) },
        {
          key: 'share',
          title: 'Share present, 95 % CI',
          numeric: true,
          cell: ({ sum }) => {
            const share = wilson(sum('present'), sum('present') + sum('absent'));
            return share ? formatPercentInterval(share.value, [share.low, share.high]) : '–';
          },
        },
        {
          key: 'notAsked',
          title: 'Not annotated',
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
