import { HeatMap } from '@/app/_ui/charts';
import { database } from '@/db';
import { formatPercent } from '@/lib/core/format';
import { type Board, findFinding } from '@/lib/services/evaluations/leaderboard';
import type { EvaluationView } from '@/lib/services/evaluations/list-evaluations';
import { readTransfer } from '@/lib/services/evaluations/transfer/read-transfer';
import {
  estimateTransferRuns,
  selectTransferModels,
} from '@/lib/services/evaluations/transfer/start-transfer';
import { ShowButton } from './show-button';

interface Props {
  board: Board;
  slug: string;
  home: string;
  /** Whether the person who looks may start it, and nothing of the kind is at work. */
  mayStart: boolean;
}

const imagesOf = (entry: EvaluationView | undefined): number =>
  (entry && findFinding(entry, 'fmr-validation-rate')?.n) ?? 0;

/** Whether what was made to mislead one model misleads the others too. */
export async function TransferMatrix({ board, slug, home, mayStart }: Props) {
  const entries = selectTransferModels(board);
  if (entries.length < 2) return null;
  const found = await readTransfer(
    database(),
    entries.map(({ id }) => id),
  );
  // Of some images only, while the work goes on, a figure would be another.
  const cells = found.map((row, r) =>
    row.map((cell) => (cell && cell.counts.images >= imagesOf(entries[r]) ? cell : null)),
  );
  const known = cells.flat().filter((cell) => cell !== null).length;
  const isWhole = known === entries.length ** 2;
  const names = entries.map(({ model }) => model);
  return (
    <div className="grid justify-items-start gap-3 border-t border-line p-4">
      {known > 0 ? (
        <HeatMap
          title="Pictures made against one model, shown to another"
          note="FMR: accuracy of who looks on the pictures that the oracle recognised, divided by its accuracy on all clean ones; n counts those pictures. Lines say whom they were made against, columns who looks; on the diagonal stands the model by itself. A cell shows its pictures."
          rows={names}
          columns={names}
          values={cells.map((row) => row.map((cell) => cell?.fmr ?? null))}
          counts={cells.map((row) => row.map((cell) => cell?.counts.validated ?? null))}
          hrefs={entries.map((from, r) =>
            entries.map((to, c) =>
              cells[r]?.[c] ? `${home}/leaderboard/transfer?from=${from.id}&to=${to.id}` : null,
            ),
          )}
          rowTitle="made against"
          columnTitle="shown to"
          format={(value) => formatPercent(value, 0)}
          // What was made to mislead one may help another.
          domain={[0, Math.max(1, ...cells.flat().map((cell) => cell?.fmr ?? 0))]}
          labels={{ rows: 320, columns: 200 }}
        />
      ) : (
        <p className="max-w-prose text-ink-2">
          Whether pictures that mislead one of these models mislead the others too is not known yet: they have
          not been shown each other’s.
        </p>
      )}
      {!isWhole && mayStart && (
        <ShowButton slug={slug} ids={entries.map(({ id }) => id)} cost={estimateTransferRuns(entries)} />
      )}
    </div>
  );
}
