import { EmptyState } from '@/app/_ui/empty-state';
import { ProgressBar } from '@/app/_ui/progress-bar';
import { State } from '@/app/_ui/state';
import { SmallTable } from '@/app/_ui/table/table';
import { formatDuration, formatNumber, formatPercent } from '@/lib/core/format';
import type { DashboardStage } from '@/lib/services/curation/overview/read-dashboard';
import { forecastText } from './forecast-text';

interface Props {
  stages: DashboardStage[];
  now: Date;
}

export function StageTable({ stages, now }: Props) {
  return (
    <SmallTable
      caption="Stages"
      rows={stages}
      rowKey={(stage) => stage.id}
      empty={
        <EmptyState title="No stages yet">
          Add classes, parts or attributes to the schema to create stages.
        </EmptyState>
      }
      columns={[
        {
          key: 'stage',
          title: 'Stage',
          cell: (stage) => <span className="font-medium whitespace-nowrap">{stage.name}</span>,
        },
        { key: 'state', title: 'State', cell: (stage) => <State state={stage.state} /> },
        {
          key: 'settled',
          title: 'Settled',
          numeric: true,
          cell: (stage) => `${formatNumber(stage.settled)} of ${formatNumber(stage.total)}`,
        },
        {
          key: 'progress',
          title: 'Progress',
          className: 'w-40',
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
        {
          key: 'left',
          title: 'Answers left',
          numeric: true,
          cell: (stage) => formatNumber(stage.left),
        },
        {
          key: 'out-on-lease',
          title: 'Leased',
          numeric: true,
          cell: (stage) => formatNumber(stage.leased),
        },
        {
          key: 'pace',
          title: 'Answers per day, 95 %',
          numeric: true,
          className: 'whitespace-nowrap',
          cell: (stage) => forecastText(stage.forecast, now).pace ?? '–',
        },
        {
          key: 'done',
          title: 'Done by, 95 %',
          numeric: true,
          className: 'whitespace-nowrap',
          cell: (stage) => {
            // A stage without items is not done.
            if (stage.total === 0) return '–';
            const { done, between } = forecastText(stage.forecast, now);
            return (
              <>
                {done} {between && <span className="text-xs text-ink-3">{between}</span>}
              </>
            );
          },
        },
        {
          key: 'median-time',
          title: 'Median time',
          numeric: true,
          cell: (stage) => formatDuration(stage.medianSeconds),
        },
      ]}
    />
  );
}
