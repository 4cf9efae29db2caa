import Link from 'next/link';
import { State } from '@/app/_ui/state';
import { type Column, SmallTable } from '@/app/_ui/table';
import { formatDateTime, formatNumber } from '@/lib/core/format';
import type { ExamAttempt } from '@/lib/services/crowd/overview/worker-stages';

interface Props {
  slug: string;
  kind: 'attributes' | 'masks';
  attempts: ExamAttempt[];
}

const number = (
  title: string,
  key: 'precision' | 'recall' | 'accuracy' | 'meanIou',
): Column<ExamAttempt> => ({
  key,
  title,
  numeric: true,
  cell: (attempt) => formatNumber(attempt[key], 2),
});

/** Who sat an exam, newest first. */
export function AttemptTable({ slug, kind, attempts }: Props) {
  const scores =
    kind === 'masks'
      ? [number('Mean IoU', 'meanIou')]
      : [number('Precision', 'precision'), number('Recall', 'recall'), number('Accuracy', 'accuracy')];
  return (
    <details>
      <summary className="w-fit text-ink-2 hover:text-ink">Who sat it</summary>
      <div className="mt-2 rounded-md border border-line">
        <SmallTable
          caption="Exams"
          rows={[...attempts].reverse()}
          rowKey={(attempt) => attempt.id}
          empty={null}
          columns={[
            {
              key: 'worker',
              title: 'Worker',
              cell: (attempt) => (
                <Link
                  href={`/projects/${slug}/crowd/${attempt.workerId}`}
                  className="font-medium hover:underline"
                >
                  {attempt.name}
                </Link>
              ),
            },
            { key: 'attempt', title: 'Attempt', numeric: true, cell: (attempt) => attempt.attempt },
            ...scores,
            {
              key: 'outcome',
              title: 'Outcome',
              cell: (attempt) => <State state={attempt.passed ? 'passed' : 'failed'} />,
            },
            {
              key: 'at',
              title: 'Finished, UTC',
              numeric: true,
              cell: (attempt) => formatDateTime(attempt.finishedAt),
            },
          ]}
        />
      </div>
    </details>
  );
}
