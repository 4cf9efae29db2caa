import Link from 'next/link';
import { Badge } from '@/app/_ui/badge';
import { State } from '@/app/_ui/state';
import type { Column } from '@/app/_ui/table';
import {
  formatAge,
  formatCount,
  formatDateTime,
  formatDuration,
  formatMoney,
  formatNumber,
} from '@/lib/core/format';
import type { CrowdStage } from '@/lib/services/crowd/overview/crowd-stages';
import { estimatesOf, type StageStanding, type WorkerRow } from '@/lib/services/crowd/overview/list-workers';
import { Score } from './score';
import { workerTone } from './worker-tone';

/** The bar of each kind of stage, if all stages of that kind have the same one. */
export function barsOf(stages: CrowdStage[]) {
  const same = (values: number[]) => (new Set(values).size === 1 ? values[0] : undefined);
  const forms = stages.filter((stage) => stage.kind === 'attributes');
  const masks = stages.filter((stage) => stage.kind.endsWith('mask'));
  return {
    precision: same(forms.map((stage) => stage.policy.attributeExam.minPrecision)),
    recall: same(forms.map((stage) => stage.policy.attributeExam.minRecall)),
    mask: same(masks.map((stage) => stage.policy.maskExam.minMeanIou)),
  };
}

export function workerColumns(slug: string, stages: CrowdStage[], now: Date): Column<WorkerRow>[] {
  const bars = barsOf(stages);
  return [
    {
      key: 'name',
      title: 'Worker',
      fixed: true,
      sortable: true,
      className: 'max-w-56',
      cell: (row) => (
        <span className="flex items-center gap-2">
          <Link
            href={`/projects/${slug}/crowd/${row.id}`}
            title={row.name}
            className="truncate font-medium underline-offset-2 hover:underline"
          >
            {row.name}
          </Link>
          {row.openAppeals > 0 && <Badge tone="warn">{formatCount(row.openAppeals, 'appeal')}</Badge>}
          {!row.isMember && <Badge>left</Badge>}
        </span>
      ),
    },
    {
      key: 'cohort',
      title: 'Cohort',
      sortable: true,
      hidden: true,
      className: 'max-w-40 truncate',
      cell: (row) => row.cohort ?? <span className="text-ink-3">–</span>,
    },
    {
      key: 'state',
      title: 'State',
      sortable: true,
      cell: (row) => <State state={row.state} tone={workerTone(row.state)} />,
    },
    {
      key: 'stages',
      title: 'By stage',
      cell: (row) => <StageMarks stages={stages} standings={row.stages} />,
    },
    { key: 'items', title: 'Items', numeric: true, sortable: true, cell: (row) => formatNumber(row.items) },
    {
      key: 'checks',
      title: 'Checks',
      numeric: true,
      sortable: true,
      cell: (row) => formatNumber(row.checks),
    },
    {
      key: 'score',
      title: 'Checks passed',
      sortable: true,
      hidden: true,
      numeric: true,
      cell: (row) => <Score estimate={estimatesOf(row).passed} />,
    },
    {
      key: 'precision',
      title: 'Precision',
      sortable: true,
      numeric: true,
      cell: (row) => <Score estimate={estimatesOf(row).precision} bar={bars.precision} />,
    },
    {
      key: 'recall',
      title: 'Recall',
      sortable: true,
      numeric: true,
      cell: (row) => <Score estimate={estimatesOf(row).recall} bar={bars.recall} />,
    },
    {
      key: 'mask',
      title: stages.some((stage) => stage.policy.maskScore === 'size-aware') ? 'Mask score' : 'Mean IoU',
      sortable: true,
      numeric: true,
      cell: (row) => <Score estimate={estimatesOf(row).maskScore} bar={bars.mask} />,
    },
    {
      key: 'hourly',
      title: 'Per hour',
      sortable: true,
      hidden: true,
      numeric: true,
      cell: (row) => {
        const { hourlyMicro } = estimatesOf(row);
        return hourlyMicro === null || !row.currency ? '–' : formatMoney(hourlyMicro, row.currency);
      },
    },
    {
      key: 'earned',
      title: 'Earned',
      hidden: true,
      numeric: true,
      cell: (row) => (row.currency ? formatMoney(row.earnedMicro, row.currency) : '–'),
    },
    {
      key: 'active',
      title: 'Active time',
      hidden: true,
      numeric: true,
      cell: (row) => formatDuration(row.activeMs / 1000),
    },
    {
      key: 'seen',
      title: 'Last seen',
      sortable: true,
      numeric: true,
      cell: (row) => (
        <span title={`${formatDateTime(row.lastSeen)} UTC`}>
          {row.lastSeen ? formatAge(row.lastSeen, now) : 'never'}
        </span>
      ),
    },
  ];
}

const wordFor = (held: StageStanding | undefined) => {
  if (held?.standing) return held.standing;
  if (held?.passed) return 'active';
  return held?.attempts ? 'exam failed' : 'not started';
};

/** Shows one mark per stage, in stage order, with text for tooltips and screen readers. */
function StageMarks({ stages, standings }: { stages: CrowdStage[]; standings: StageStanding[] }) {
  return (
    <span className="flex items-center gap-1.5">
      {stages.map(({ id, name }) => {
        const word = wordFor(standings.find((held) => held.stageId === id));
        return (
          <span key={id} title={`${name}: ${word}`}>
            <State state={word} tone={workerTone(word)}>
              <span className="sr-only">
                {name}: {word}
              </span>
            </State>
          </span>
        );
      })}
    </span>
  );
}
