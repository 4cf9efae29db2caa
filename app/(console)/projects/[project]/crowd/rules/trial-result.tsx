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
  /** Null without a draft. */
  draft: Trial | null;
}

const lines = (currency: string): { key: string; title: string; show: (trial: Trial) => string }[] => [
  { key: 'hinted', title: 'Workers with a hint', show: (trial) => formatNumber(trial.hinted) },
  { key: 'refreshed', title: 'Workers sent to a refresher', show: (trial) => formatNumber(trial.refreshed) },
  {
    key: 'stopped',
    title: 'Workers paused or ended',
    show: (trial) => `${formatNumber(trial.stopped)} of ${formatNumber(trial.workers)}`,
  },
  {
    key: 'bad',
    title: 'Expected bad workers among them',
    show: (trial) => formatNumber(trial.stopped - trial.falseStops, 1),
  },
  {
    key: 'false',
    title: 'Expected good workers among them',
    show: (trial) =>
      `${formatNumber(trial.falseStops, 1)} (${formatPercent(trial.workers ? trial.falseStops / trial.workers : null)} of all)`,
  },
  {
    key: 'per-thousand',
    title: 'Maximum false stops per 1,000 good workers',
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
    title: 'Answers not collected',
    show: (trial) => formatNumber(trial.notTaken),
  },
  {
    key: 'again',
    title: 'Items to repeat, and their cost',
    show: (trial) => `${formatNumber(trial.askedAgain)}, ${formatMoney(trial.costMicro, currency)}`,
  },
];

/** The effect of rules on past work: totals compared with the active rules, and each action. */
export function TrialResult({ slug, stages, currency, inForce, draft }: Props) {
  const shown = draft ?? inForce;
  return (
    <>
      <SmallTable
        caption="Totals"
        rows={lines(currency)}
        rowKey={(line) => line.key}
        empty={null}
        columns={[
          { key: 'line', title: 'If the rules had always been active', cell: (line) => line.title },
          { key: 'in-force', title: 'Active', numeric: true, cell: (line) => line.show(inForce) },
          ...(draft
            ? [
                {
                  key: 'draft',
                  title: 'Draft',
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
      caption="Actions"
      rows={rows}
      rowKey={({ run, step }) => `${run.history.stageId} ${run.history.workerId} ${step.at.toISOString()}`}
      empty={<EmptyState title="No actions">These rules would not have acted on any past work.</EmptyState>}
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
          title: 'Action',
          cell: ({ step: { judgement } }) =>
            judgement.target === null ? judgement.verdict : `${judgement.verdict}: ${judgement.target}`,
        },
        { key: 'rule', title: 'Rule', cell: ({ step }) => step.judgement.rule },
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
