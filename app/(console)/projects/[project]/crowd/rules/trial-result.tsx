import Link from 'next/link';
import { EmptyState } from '@/app/_ui/empty-state';
import { SmallTable } from '@/app/_ui/table';
import { formatDateTime, formatMoney, formatNumber, formatPercent } from '@/lib/core/format';
import type { CrowdStage } from '@/lib/services/crowd/overview/crowd-stages';
import type { Trial } from '@/lib/services/crowd/overview/try-rules';

interface Props {
  slug: string;
  stages: CrowdStage[];
  currency: string;
  inForce: Trial;
  /** Null while nothing else is tried. */
  draft: Trial | null;
}

const lines = (currency: string): { key: string; title: string; show: (trial: Trial) => string }[] => [
  { key: 'hinted', title: 'People who would have had a hint', show: (trial) => formatNumber(trial.hinted) },
  { key: 'refreshed', title: 'Sent to a refresher', show: (trial) => formatNumber(trial.refreshed) },
  {
    key: 'stopped',
    title: 'Paused or ended',
    show: (trial) => `${formatNumber(trial.stopped)} of ${formatNumber(trial.workers)}`,
  },
  {
    key: 'bad',
    title: 'Bad workers among them, expected',
    show: (trial) => formatNumber(trial.stopped - trial.falseStops, 1),
  },
  {
    key: 'false',
    title: 'Good workers among them, expected',
    show: (trial) =>
      `${formatNumber(trial.falseStops, 1)} (${formatPercent(trial.workers ? trial.falseStops / trial.workers : null)} of everybody)`,
  },
  {
    key: 'per-thousand',
    title: 'False stops per 1,000 careers of good workers, at most',
    show: ({ falseStopsPerThousand: stops }) => (stops === null ? 'not bounded' : formatNumber(stops, 1)),
  },
  {
    key: 'retrained',
    title: 'Practice on one part or attribute',
    show: (trial) => formatNumber(trial.retrained),
  },
  { key: 'parts', title: 'Paused for one part', show: (trial) => formatNumber(trial.pausedForPart) },
  {
    key: 'not-taken',
    title: 'Answers that would not have been taken',
    show: (trial) => formatNumber(trial.notTaken),
  },
  {
    key: 'again',
    title: 'Items to ask again, and what that costs',
    show: (trial) => `${formatNumber(trial.askedAgain)}, ${formatMoney(trial.costMicro, currency)}`,
  },
];

/** What rules would have meant so far: in sum, beside the rules in force, and for whom and when. */
export function TrialResult({ slug, stages, currency, inForce, draft }: Props) {
  const shown = draft ?? inForce;
  return (
    <>
      <SmallTable
        caption="In sum"
        rows={lines(currency)}
        rowKey={(line) => line.key}
        empty={null}
        columns={[
          { key: 'line', title: 'As if the rules had held from the first day', cell: (line) => line.title },
          { key: 'in-force', title: 'In force', numeric: true, cell: (line) => line.show(inForce) },
          ...(draft
            ? [
                {
                  key: 'draft',
                  title: 'As tried',
                  numeric: true,
                  cell: (line: ReturnType<typeof lines>[number]) => (
                    <strong className="font-semibold">{line.show(draft)}</strong>
                  ),
                },
              ]
            : []),
        ]}
      />
      <div className="mt-4">
        <Actions slug={slug} stages={stages} trial={shown} />
      </div>
    </>
  );
}

function Actions({ slug, stages, trial }: { slug: string; stages: CrowdStage[]; trial: Trial }) {
  const rows = trial.tried.flatMap(({ run, wasGood }) =>
    run.steps.map((step) => ({ run, wasGood: step === run.stop ? wasGood : null, step })),
  );
  return (
    <SmallTable
      caption="Who, when and why"
      rows={rows}
      rowKey={({ run, step }) => `${run.history.stageId} ${run.history.workerId} ${step.at.toISOString()}`}
      empty={
        <EmptyState title="Nothing would have happened">
          On what has been done so far these rules find nothing to say to anybody.
        </EmptyState>
      }
      columns={[
        {
          key: 'worker',
          title: 'Worker',
          cell: ({ run }) => (
            <Link
              href={`/projects/${slug}/crowd/${run.history.workerId}`}
              className="font-medium underline-offset-2 hover:underline"
            >
              {run.history.name}
            </Link>
          ),
        },
        {
          key: 'stage',
          title: 'Stage',
          cell: ({ run }) => stages.find((stage) => stage.id === run.history.stageId)?.name ?? '–',
        },
        {
          key: 'verdict',
          title: 'What',
          cell: ({ step: { judgement } }) =>
            judgement.target === null ? judgement.verdict : `${judgement.verdict}: ${judgement.target}`,
        },
        { key: 'rule', title: 'By rule', cell: ({ step }) => step.judgement.rule },
        { key: 'when', title: 'When, UTC', numeric: true, cell: ({ step }) => formatDateTime(step.at) },
        {
          key: 'items',
          title: 'After items',
          numeric: true,
          cell: ({ step }) => formatNumber(step.answersDone),
        },
        {
          key: 'checks',
          title: 'After checks',
          numeric: true,
          cell: ({ step }) => formatNumber(step.checksDone),
        },
        {
          key: 'good',
          title: 'Probability of a good worker',
          numeric: true,
          cell: ({ wasGood }) => (wasGood === null ? '' : formatPercent(wasGood, 0)),
        },
      ]}
    />
  );
}
