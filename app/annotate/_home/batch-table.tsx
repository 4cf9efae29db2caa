import { EmptyState } from '@/app/_ui/empty-state';
import { SmallTable } from '@/app/_ui/table/small-table';
import type { WorkerBatch } from '@/lib/crowd/recent-batches';
import { formatDateTime, formatDuration, formatMoney, formatNumber, noValue } from '@/lib/format';

const outcomes: Record<WorkerBatch['state'], string> = {
  submitted: 'Submitted',
  expired: 'Time ran out',
  returned: 'Given back',
};

const kinds: Record<string, string> = { exam: ' exam', practice: ' practice' };

export function BatchTable({ batches }: { batches: WorkerBatch[] }) {
  return (
    <SmallTable
      caption="Recent batches"
      rows={batches}
      rowKey={(batch) => batch.id}
      empty={<EmptyState title="No batches yet">Your batches appear here with their pay.</EmptyState>}
      columns={[
        { key: 'at', title: 'Ended, UTC', cell: (batch) => formatDateTime(batch.ended_at) },
        { key: 'stage', title: 'Stage', cell: (batch) => `${batch.stage}${kinds[batch.kind] ?? ''}` },
        { key: 'outcome', title: 'Outcome', cell: (batch) => outcomes[batch.state] },
        { key: 'items', title: 'Items', numeric: true, cell: (batch) => formatNumber(batch.items) },
        {
          key: 'time',
          title: 'Time',
          numeric: true,
          cell: (batch) => formatDuration(Number(batch.active_ms) / 1000),
        },
        {
          key: 'paid',
          title: 'Pay',
          numeric: true,
          cell: (batch) =>
            batch.amount_micro && batch.currency
              ? formatMoney(BigInt(batch.amount_micro), batch.currency)
              : noValue,
        },
      ]}
    />
  );
}
