import { FormError } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { formatCount, formatNumber } from '@/lib/core/format';
import {
  crowdText,
  type EvaluationPlan,
  speedText,
  timeText,
} from '@/lib/services/evaluations/evaluation-request';

/** Estimated cost and limitations. */
export function PlanPanel({ plan, error, isOld }: { plan?: EvaluationPlan; error?: string; isOld: boolean }) {
  return (
    <Panel
      title="Estimated cost"
      description={plan ? speedText(plan.speed) : undefined}
      className={isOld ? 'opacity-60' : undefined}
      flush={plan !== undefined && !error}
    >
      <div role="status" aria-busy={isOld}>
        {error ? (
          <FormError>{error}</FormError>
        ) : plan ? (
          <Costs plan={plan} />
        ) : (
          <p className="text-ink-3">Counting images and measuring the speed of the model …</p>
        )}
      </div>
    </Panel>
  );
}

function Costs({ plan }: { plan: EvaluationPlan }) {
  const { images, unknown, split, suites, runs, known, seconds, isKnownAtMost, offers, left, skipped } = plan;
  const { crowd } = plan;
  const rows = [
    ...suites.map((suite) => ({ ...suite, isTotal: false })),
    { id: 'total', name: 'Total', images, runs, known, seconds, isTotal: true },
  ];
  const notes = [
    ...(unknown > 0
      ? [`${formatCount(unknown, 'image')} of classes that the model does not have are skipped.`]
      : []),
    // A missing oracle is listed with the skipped suites.
    ...offers.filter(({ offer, isThere }) => isThere !== true && offer !== 'oracle').map(({ says }) => says),
    ...(crowd ? [crowdText(crowd)] : []),
    ...left.map(({ suite, why }) => `${suite} is skipped. ${why}`),
    ...skipped.map(
      ({ images: n, says, suites: own }) =>
        `${formatCount(n, 'image')}: ${says} Skipped in: ${own.join(', ')}.`,
    ),
    ...(isKnownAtMost ? ['Reusable outputs are estimated; labels were not compared one by one.'] : []),
  ];
  return (
    <>
      <SmallTable
        caption={`Cost, ${formatCount(images, 'image')} of ${split === 'all' ? 'all splits' : `split ${split}`}`}
        rows={rows}
        rowKey={({ id }) => id}
        empty={null}
        columns={[
          {
            key: 'name',
            title: 'Suite',
            cell: ({ name, isTotal }) => (
              <span className={isTotal ? 'font-semibold' : undefined}>{name}</span>
            ),
          },
          { key: 'images', title: 'Images', numeric: true, cell: (row) => formatNumber(row.images) },
          { key: 'runs', title: 'Model runs', numeric: true, cell: (row) => formatNumber(row.runs) },
          {
            key: 'known',
            title: 'Reused',
            numeric: true,
            cell: (row) => (row.known === 0 ? '–' : formatNumber(row.known)),
          },
          {
            key: 'time',
            title: 'Time',
            numeric: true,
            className: 'whitespace-nowrap',
            cell: ({ seconds: own }) =>
              own !== null && own > 0 && own < 1 ? 'under 1\u202fs' : timeText(own),
          },
        ]}
      />
      <ul className="grid gap-1 border-t border-line px-4 py-3 text-xs text-ink-2">
        <li>Reused outputs cost nothing.</li>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </>
  );
}
