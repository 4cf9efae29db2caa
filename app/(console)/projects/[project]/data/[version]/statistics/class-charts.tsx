import { BarChart } from '@/app/_ui/charts';
import { Panel } from '@/app/_ui/panel';
import { maximumSeries } from '@/lib/core/charts';
import { formatCount } from '@/lib/core/format';
import type { Statistics } from '@/lib/core/statistics';
import { SplitTable } from '../../split-table';
import { namesOf } from './names-of';

/** Images per class and split. */
export function ClassCharts({ found }: { found: Statistics }) {
  const { classCounts, splits, totals } = found;
  const nameOf = namesOf(found.classes);
  const rows = classCounts.map(({ className, bySplit }) => ({
    className,
    bySplit: Object.fromEntries(splits.map((split, at) => [split, bySplit[at] ?? 0])),
    total: bySplit.reduce((sum, n) => sum + n, 0),
  }));
  const isDrawn = splits.length <= maximumSeries;
  return (
    <Panel title="Classes" flush={!isDrawn}>
      {isDrawn ? (
        <BarChart
          title="Images by class and split"
          note={`n = ${formatCount(totals.images, 'image')}. A class without images in the version shows a zero.`}
          categories={rows.map(({ className }) => (className === null ? 'No class' : nameOf(className)))}
          series={splits.map((split) => ({
            name: split,
            values: rows.map(({ bySplit }) => bySplit[split] ?? 0),
          }))}
          width={720}
        />
      ) : (
        <SplitTable splits={splits} rows={rows} nameOf={nameOf} />
      )}
    </Panel>
  );
}
