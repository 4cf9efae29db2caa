import { EmptyState } from '@/app/_ui/empty-state';
import { State } from '@/app/_ui/state';
import { SmallTable } from '@/app/_ui/table';
import { formatDuration, formatNumber, formatPercent } from '@/lib/core/format';
import type { Confirmation } from '@/lib/core/quality/confirmation';
import { findRule } from '@/lib/core/quality/rules';
import { trustOf } from '@/lib/core/quality/trust';
import type { CrowdStage } from '@/lib/services/crowd/overview/crowd-stages';
import type { StageEvidence } from '@/lib/services/crowd/overview/worker-evidence';
import type { ExamAttempt, WorkerCheck, WorkerStageWork } from '@/lib/services/crowd/overview/worker-stages';
import { Score } from '../score';
import { workerTone } from '../worker-tone';
import { scored } from './scored';

interface Props {
  stages: CrowdStage[];
  work: WorkerStageWork[];
  checks: WorkerCheck[];
  exams: ExamAttempt[];
  evidence: StageEvidence[];
}

const describeExams = (exams: ExamAttempt[]) => {
  if (exams.length === 0) return 'not taken';
  const passed = exams.some((exam) => exam.passed);
  return `${passed ? 'passed' : 'failed'}${exams.length > 1 ? `, attempt ${exams.length}` : ''}`;
};

/** Describes whether labels of the worker need a second answer, and why. */
function confirmationText({ isNeeded, isInaccurate, accuracy, minimum, objections }: Confirmation): string {
  if (!isNeeded) return 'No';
  const reasons = [
    ...(isInaccurate && minimum !== null
      ? [`estimated accuracy ${formatPercent(accuracy)}, minimum ${formatPercent(minimum)}`]
      : []),
    ...objections.map((id) => findRule(id)?.title ?? id),
  ];
  return `Yes: ${reasons.join('; ')}`;
}

/** One line per stage: the worker's state, amount of work, quality and speed. */
export function StageWork({ stages, work, checks, exams, evidence }: Props) {
  const rows = stages.map((stage) => {
    const own = checks.filter((check) => check.stageId === stage.id && check.kind === 'work');
    return {
      stage,
      work: work.find((each) => each.stageId === stage.id),
      exams: exams.filter((exam) => exam.stageId === stage.id),
      trust: own.length ? trustOf(scored(own)).all : null,
      confirmation: evidence.find(({ stageId }) => stageId === stage.id)?.confirmation,
    };
  });
  return (
    <SmallTable
      caption="Stages"
      rows={rows}
      rowKey={(row) => row.stage.id}
      empty={<EmptyState title="No stages yet">Add a stage on the schema page.</EmptyState>}
      columns={[
        {
          key: 'stage',
          title: 'Stage',
          cell: (row) => <span className="font-medium whitespace-nowrap">{row.stage.name}</span>,
        },
        {
          key: 'standing',
          title: 'State',
          cell: ({ work, exams: sat }) => {
            // Without a later decision, a worker who passed the exam is active.
            const standing = work?.standing ?? (sat.some((exam) => exam.passed) ? 'active' : null);
            return standing ? <State state={standing} tone={workerTone(standing)} /> : '–';
          },
        },
        {
          key: 'exam',
          title: 'Exam',
          className: 'whitespace-nowrap',
          cell: (row) => describeExams(row.exams),
        },
        { key: 'items', title: 'Items', numeric: true, cell: (row) => formatNumber(row.work?.items) },
        { key: 'checks', title: 'Checks', numeric: true, cell: (row) => formatNumber(row.trust?.n ?? 0) },
        {
          key: 'passed',
          title: 'Pass rate',
          numeric: true,
          cell: (row) => <Score estimate={row.trust?.passRate} />,
        },
        {
          key: 'precision',
          title: 'Precision',
          numeric: true,
          cell: ({ trust, stage }) => (
            <Score estimate={trust?.precision} bar={stage.policy.attributeExam.minPrecision} />
          ),
        },
        {
          key: 'recall',
          title: 'Recall',
          numeric: true,
          cell: ({ trust, stage }) => (
            <Score estimate={trust?.recall} bar={stage.policy.attributeExam.minRecall} />
          ),
        },
        {
          key: 'iou',
          title: 'Mean IoU',
          numeric: true,
          cell: ({ trust, stage }) => (
            <Score
              estimate={trust?.iou}
              bar={stage.policy.maskScore === 'iou' ? stage.policy.maskExam.minMeanIou : undefined}
            />
          ),
        },
        {
          key: 'confirmation',
          title: 'Second answers',
          cell: ({ confirmation }) => (confirmation ? confirmationText(confirmation) : '–'),
        },
        {
          key: 'time',
          title: 'Median (all)',
          numeric: true,
          cell: ({ work }) => (
            <>
              {formatDuration(work?.medianSeconds)}{' '}
              <span className="text-xs text-ink-3">({formatDuration(work?.poolMedianSeconds)})</span>
            </>
          ),
        },
      ]}
    />
  );
}
