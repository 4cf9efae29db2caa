import Link from 'next/link';
import { EmptyState } from '@/app/_ui/empty-state';
import { SmallTable } from '@/app/_ui/table/table';
import {
  formatDateTime,
  formatDuration,
  formatMoney,
  formatNumber,
  formatPercentInterval,
} from '@/lib/core/format';
import { wilson } from '@/lib/core/quality/interval';
import type { BusyWorker } from '@/lib/services/curation/overview/busiest-workers';

const checksOf = ({ passed, checks }: BusyWorker) => {
  const share = wilson(passed, checks);
  return share ? formatPercentInterval(share.value, [share.low, share.high], 0) : 'none yet';
};

export function WorkerTable({ workers, path }: { workers: BusyWorker[]; path: string }) {
  return (
    <SmallTable
      caption="Workers"
      rows={workers}
      rowKey={(worker) => worker.id}
      empty={<EmptyState title="No workers">Invite people to this project first.</EmptyState>}
      columns={[
        {
          key: 'worker',
          title: 'Worker',
          cell: (worker) => (
            <Link
              href={`${path}/crowd/${worker.id}`}
              className="font-medium underline-offset-2 hover:underline"
            >
              {worker.name}
            </Link>
          ),
        },
        { key: 'answers', title: 'Answers', numeric: true, cell: (worker) => formatNumber(worker.answers) },
        { key: 'checks', title: 'Checks', numeric: true, cell: (worker) => formatNumber(worker.checks) },
        { key: 'checks-passed', title: 'Checks passed, 95 %', numeric: true, cell: checksOf },
        {
          key: 'active-time',
          title: 'Active time',
          numeric: true,
          cell: (worker) => formatDuration(worker.activeMinutes * 60),
        },
        {
          key: 'earned',
          title: 'Earned',
          numeric: true,
          cell: ({ earned }) =>
            earned.map(({ micro, currency }) => formatMoney(BigInt(micro), currency)).join(', ') || '–',
        },
        {
          key: 'last-answer-utc',
          title: 'Last answer, UTC',
          numeric: true,
          cell: (worker) => formatDateTime(worker.lastAt),
        },
      ]}
    />
  );
}
