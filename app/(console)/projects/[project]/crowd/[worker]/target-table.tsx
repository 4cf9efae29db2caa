import { EmptyState } from '@/app/_ui/empty-state';
import { SmallTable } from '@/app/_ui/table';
import { formatNumber } from '@/lib/core/format';
import { trustOf } from '@/lib/core/quality/trust';
import type { CrowdStage } from '@/lib/services/crowd/overview/crowd-stages';
import type { WorkerCheck } from '@/lib/services/crowd/overview/worker-stages';
import { Score } from '../score';
import { scored } from './scored';

interface Props {
  stages: CrowdStage[];
  checks: WorkerCheck[];
  /** Display name of an attribute or a part. */
  nameOf: (target: string) => string;
}

/** Scores by attribute and part, most checks first. */
export function TargetTable({ stages, checks, nameOf }: Props) {
  const rows = stages.flatMap((stage) => {
    const own = checks.filter((check) => check.stageId === stage.id);
    return Object.entries(trustOf(scored(own)).byTarget)
      .map(([target, trust]) => ({ stage, target, trust }))
      .sort((a, b) => b.trust.n - a.trust.n);
  });
  return (
    <SmallTable
      caption="Attributes and parts"
      rows={rows}
      rowKey={(row) => `${row.stage.id} ${row.target}`}
      empty={
        <EmptyState title="No checks yet">
          Scores by attribute and part appear after the first hidden checks.
        </EmptyState>
      }
      columns={[
        { key: 'target', title: 'Attribute or part', cell: (row) => nameOf(row.target) },
        {
          key: 'stage',
          title: 'Stage',
          cell: (row) => <span className="whitespace-nowrap text-ink-2">{row.stage.name}</span>,
        },
        { key: 'n', title: 'Checks', numeric: true, cell: (row) => formatNumber(row.trust.n) },
        {
          key: 'precision',
          title: 'Precision',
          numeric: true,
          cell: ({ trust, stage }) => (
            <Score estimate={trust.precision} bar={stage.policy.attributeExam.minPrecision} />
          ),
        },
        {
          key: 'recall',
          title: 'Recall',
          numeric: true,
          cell: ({ trust, stage }) => (
            <Score estimate={trust.recall} bar={stage.policy.attributeExam.minRecall} />
          ),
        },
        { key: 'iou', title: 'Mean IoU', numeric: true, cell: ({ trust }) => <Score estimate={trust.iou} /> },
      ]}
    />
  );
}
