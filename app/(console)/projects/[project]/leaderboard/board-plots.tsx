import { Scatter } from '@/app/_ui/charts';
import { SmallTable } from '@/app/_ui/table';
import { formatPercent } from '@/lib/core/format';
import { type Board, findFinding, listTradeOffs, sortByFmr } from '@/lib/services/evaluations/leaderboard';
import type { EvaluationView } from '@/lib/services/evaluations/list-evaluations';
import { findingText, intervalText } from '../evaluations/finding-text';

/** What models give up on clean pictures for standing elsewhere: a point is a model. */
export function TradeOff({ board, home }: { board: Board; home: string }) {
  const series = listTradeOffs(board);
  if (series.length === 0) return null;
  const format = (value: number) => formatPercent(value, 0);
  return (
    <div className="p-4">
      <Scatter
        title="Clean against robust accuracy"
        note="A point is a model and leads to its evaluation. On the line nothing is lost."
        x={{ title: 'Clean accuracy', domain: [0, 1], format }}
        y={{ title: 'Robust accuracy', domain: [0, 1], format }}
        guides={[{ name: '', points: [[0, 0] as const, [1, 1] as const] }]}
        series={series.map(({ name, points }) => ({
          name,
          points: points.map(({ id, model, x, y }) => ({
            ...{ x, y, label: model, href: `${home}/evaluations/${id}` },
          })),
        }))}
        width={560}
        height={340}
      />
    </div>
  );
}

const judged = [
  ['fmr', 'FMR'],
  ['fmr-matched', 'FMR, matched'],
  ['clean-accuracy', 'Clean (SA)'],
  ['fmr-perturbed-accuracy', 'Perturbed (PA)'],
  ['fmr-validation-rate', 'Validated (VR)'],
  ['fmr-oracle-agreement', 'Oracle on clean'],
  ['fmr-steps', 'Steps'],
] as const;

/** The ranking by FMR with all that it is made of. */
export function FmrTable({ board }: { board: Board }) {
  const rows = sortByFmr(board);
  if (rows.length === 0) return null;
  return (
    <div className="border-t border-line">
      <p className="px-4 pt-3 text-xs text-ink-3">As far as an oracle follows, highest FMR first</p>
      <SmallTable
        caption="Models by FMR"
        rows={rows}
        rowKey={({ id }) => id}
        empty={null}
        columns={[
          { key: 'model', title: 'Model', cell: ({ model }) => model },
          ...judged.map(([id, title]) => ({
            key: id,
            title,
            numeric: true,
            cell: (entry: EvaluationView) => {
              const finding = findFinding(entry, id);
              const ends = finding && intervalText(finding);
              return (
                <>
                  {findingText(finding)}
                  {ends && <span className="block text-2xs text-ink-3">{ends}</span>}
                </>
              );
            },
          })),
        ]}
      />
    </div>
  );
}
