import { EmptyState } from '@/app/_ui/empty-state';
import { SmallTable } from '@/app/_ui/table';
import { formatNumber } from '@/lib/core/format';
import type { CrowdStage } from '@/lib/services/crowd/overview/crowd-stages';
import type { Signal } from '@/lib/services/crowd/overview/worker-evidence';

/** The current findings of all rules, including inactive ones. */
export function Signals({ signals, stages }: { signals: Signal[]; stages: CrowdStage[] }) {
  return (
    <SmallTable
      caption="Signals"
      rows={signals}
      rowKey={(signal) => `${signal.stageId} ${signal.rule}`}
      empty={
        <EmptyState title="No signals">
          No rule, active or inactive, finds anything suspicious in the newest work.
        </EmptyState>
      }
      columns={[
        {
          key: 'rule',
          title: 'Signal',
          cell: (signal) => <span className="font-medium">{signal.title}</span>,
        },
        {
          key: 'stage',
          title: 'Stage',
          cell: (signal) => stages.find((stage) => stage.id === signal.stageId)?.name ?? '–',
        },
        { key: 'strong', title: 'Evidence', cell: (signal) => (signal.isStrong ? 'strong' : 'weak') },
        { key: 'n', title: 'Items', numeric: true, cell: (signal) => formatNumber(signal.evidence) },
        {
          key: 'in-force',
          title: 'Rule',
          cell: (signal) => (signal.isInForce ? 'active' : 'inactive'),
        },
        {
          key: 'says',
          title: 'Message to the worker',
          cell: (signal) => <span className="text-ink-2">{signal.reason}</span>,
        },
      ]}
    />
  );
}
