import { EmptyState } from '@/app/_ui/empty-state';
import { ProgressBar } from '@/app/_ui/progress-bar';
import { State } from '@/app/_ui/state';
import { SmallTable } from '@/app/_ui/table/small-table';
import type { StageProgress } from '@/lib/curation/project-overview';
import { formatDuration, formatNumber, formatPercent } from '@/lib/format';

export function StageTable({ stages }: { stages: StageProgress[] }) {
  return (
    <SmallTable
      caption="Stages"
      rows={stages}
      rowKey={(stage) => stage.id}
      empty={<EmptyState title="No stages">This schema asks nothing.</EmptyState>}
      columns={[
        { key: 'stage', title: 'Stage', cell: (stage) => <span className="font-medium">{stage.name}</span> },
        { key: 'state', title: 'State', cell: (stage) => <State state={stage.state} /> },
        { key: 'items', title: 'Items', numeric: true, cell: (stage) => formatNumber(stage.total) },
        { key: 'settled', title: 'Settled', numeric: true, cell: (stage) => formatNumber(stage.settled) },
        {
          key: 'progress',
          title: 'Progress',
          className: 'w-56',
          cell: (stage) => (
            <span className="flex items-center gap-2">
              <ProgressBar
                label={`Progress of ${stage.name}`}
                done={stage.settled}
                total={stage.total || 1}
              />
              <span className="w-12 text-right text-xs text-ink-2">
                {formatPercent(stage.total ? stage.settled / stage.total : null, 0)}
              </span>
            </span>
          ),
        },
        { key: 'answers', title: 'Answers', numeric: true, cell: (stage) => formatNumber(stage.answered) },
        {
          key: 'out-on-lease',
          title: 'Out on lease',
          numeric: true,
          cell: (stage) => formatNumber(stage.leased),
        },
        {
          key: 'median-time',
          title: 'Median time',
          numeric: true,
          cell: (stage) => formatDuration(stage.median_seconds),
        },
      ]}
    />
  );
}
