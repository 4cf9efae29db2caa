import { EmptyState } from '@/app/_ui/empty-state';
import { SmallTable } from '@/app/_ui/table/small-table';
import type { StatementLine } from '@/lib/crowd/worker';
import { formatDateTime, formatMoney } from '@/lib/format';

export const lineWords: Record<StatementLine['kind'], string> = {
  batch: 'Batch',
  item: 'Item submitted late',
  exam: 'Exam',
  bonus: 'Bonus',
  adjustment: 'Correction',
  payment: 'Payment to you',
};

export function StatementTable({ lines }: { lines: StatementLine[] }) {
  return (
    <SmallTable
      caption="Statement"
      rows={lines}
      rowKey={(line) => line.id}
      empty={
        <EmptyState title="Nothing earned yet">Every batch and exam that is paid is a line here.</EmptyState>
      }
      columns={[
        {
          key: 'at',
          title: 'Date, UTC',
          cell: (line) => formatDateTime(line.at),
          className: 'whitespace-nowrap',
        },
        { key: 'project', title: 'Project', cell: (line) => line.project },
        {
          key: 'kind',
          title: 'For',
          cell: (line) => (line.note ? `${lineWords[line.kind]}: ${line.note}` : lineWords[line.kind]),
        },
        {
          key: 'amount',
          title: 'Amount',
          numeric: true,
          className: 'whitespace-nowrap',
          cell: (line) => formatMoney(line.amountMicro, line.currency),
        },
      ]}
    />
  );
}
