import { Scatter } from '@/app/_ui/charts';
import { Panel } from '@/app/_ui/panel';
import { maximumSeries } from '@/lib/core/charts';
import { formatPercent } from '@/lib/core/format';
import type { TableRow } from '@/lib/services/training/report/table-one';
import { archName } from '../run-words';
import { rowName } from './row-words';

/** Every run as a point: what it gives up of clean accuracy for standing up to attacks. */
export function TradeOff({ rows, path }: { rows: TableRow[]; path: string }) {
  const archs = [...new Set(rows.map(({ arch }) => arch))].slice(0, maximumSeries);
  const series = archs
    .map((arch) => ({
      name: archName(arch),
      points: rows
        .filter((row) => row.arch === arch)
        .flatMap((row) =>
          row.runs.flatMap(({ id, seed, clean, adversarial }) =>
            clean?.accuracy == null || adversarial?.accuracy == null
              ? []
              : [
                  {
                    x: clean.accuracy,
                    y: adversarial.accuracy,
                    label: `${rowName(row)}, seed ${seed}`,
                    href: `${path}/${id}`,
                  },
                ],
          ),
        ),
    }))
    .filter(({ points }) => points.length > 0);
  if (series.length === 0) return null;
  return (
    <Panel title="Trade-off">
      <Scatter
        title="Clean against adversarial accuracy"
        note="A point is a run and leads to it; adversarial is AutoAttack, or PGD where it did not run."
        x={{ title: 'Clean accuracy', domain: [0, 1], format: (value) => formatPercent(value, 0) }}
        y={{ title: 'Adversarial accuracy', domain: [0, 1], format: (value) => formatPercent(value, 0) }}
        series={series}
        width={560}
        height={380}
      />
    </Panel>
  );
}
