import { EmptyState } from '@/app/_ui/empty-state';
import { SmallTable } from '@/app/_ui/table';
import { formatNumber } from '@/lib/core/format';
import type { CrowdStage } from '@/lib/services/crowd/overview/crowd-stages';
import type { Signal } from '@/lib/services/crowd/overview/worker-evidence';

/** What each rule sees at the moment, also those that are not in force. */
export function Signals({ signals, stages }: { signals: Signal[]; stages: CrowdStage[] }) {
  return (
    <SmallTable
      caption="Signals"
      rows={signals}
      rowKey={(signal) => `${signal.stageId} ${signal.rule}`}
      empty={
        <EmptyState title="Nothing stands out">
          None of the rules, also of those that are switched off, sees anything in the newest work.
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
          cell: (signal) => (signal.isInForce ? 'in force' : 'off'),
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
