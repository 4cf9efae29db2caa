import { BarChart } from '@/app/_ui/charts';
import { Panel } from '@/app/_ui/panel';
import { formatPercent } from '@/lib/core/format';
import type { SeedMean, TableRow } from '@/lib/services/training/report/table-one';
import { rowName } from './row-words';

/** More bars than this are read in the table. */
const MOST = 16;

/** The rows of the table as bars, by their number there. */
export function MeanBars({ rows }: { rows: TableRow[] }) {
  const shown = rows.slice(0, MOST);
  const series = (name: string, pick: (row: TableRow) => SeedMean | null) => ({
    name,
    values: shown.map((row) => pick(row)?.value ?? null),
    intervals: shown.map((row) => {
      const mean = pick(row);
      return mean ? ([mean.low, mean.high] as const) : null;
    }),
  });
  return (
    <Panel title="Means">
      <BarChart
        title="Mean accuracy"
        note={`Lines are 95 % intervals: over seeds, or over test images where there is one seed.${
          rows.length > MOST ? ` The first ${MOST} rows of the table.` : ''
        }`}
        categories={shown.map((row, at) => `${at + 1} ${rowName(row)}`)}
        domain={[0, 1]}
        format={(value) => formatPercent(value, 0)}
        width={560}
        series={[
          series('Clean', ({ clean }) => clean),
          series('Adversarial', ({ autoattack, pgd }) => autoattack ?? pgd),
        ]}
      />
    </Panel>
  );
}
