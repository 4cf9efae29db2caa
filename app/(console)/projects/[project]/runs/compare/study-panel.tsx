import Link from 'next/link';
import { Badge } from '@/app/_ui/badge';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import type { RunComparison } from '@/lib/services/training/report/compare-runs';
import type { SeedMean } from '@/lib/services/training/report/table-one';
import { Accuracy } from '../accuracy';
import { overWords } from './row-words';

const Mean = ({ of }: { of: SeedMean | null }) => <Accuracy of={of} over={of ? overWords(of) : undefined} />;

/** A sweep: its combinations by validation, and which is the best so far. */
export function StudyPanel({ study, path }: { study: RunComparison['studies'][number]; path: string }) {
  const tried = Object.keys(study.rows[0]?.tried ?? {});
  return (
    <Panel
      title={`Sweep of ${study.name}`}
      description={`Version ${study.version}. ${study.finished} of ${study.runs} runs are over. The best is chosen by ${
        study.isAdversarial ? 'adversarial' : 'clean'
      } accuracy on validation images, the mean over seeds; the test only tells how good it is.`}
      flush
    >
      <SmallTable
        caption={`Combinations of ${study.name}`}
        rows={study.rows}
        rowKey={({ key }) => key}
        empty={null}
        columns={[
          ...tried.map((setting) => ({
            key: setting,
            title: setting,
            numeric: true,
            cell: (row: (typeof study.rows)[number]) => row.tried[setting],
          })),
          {
            key: 'best',
            title: 'Verdict',
            untitled: true,
            cell: ({ isBest }) => isBest && <Badge tone="good">best</Badge>,
          },
          {
            key: 'validation',
            title: 'Validation, 95 %',
            numeric: true,
            cell: ({ validation }) => <Mean of={validation} />,
          },
          {
            key: 'clean',
            title: 'Clean test, 95 %',
            numeric: true,
            cell: ({ clean }) => <Mean of={clean} />,
          },
          {
            key: 'adversarial',
            title: 'Attacked test, 95 %',
            numeric: true,
            cell: ({ adversarial }) => <Mean of={adversarial} />,
          },
          {
            key: 'runs',
            title: 'Runs by seed',
            cell: ({ runs }) => (
              <span className="flex flex-wrap gap-x-0.5">
                {runs.map(({ id, seed }) => (
                  <Link
                    key={id}
                    href={`${path}/${id}`}
                    className="min-w-6 text-center underline underline-offset-2 tabular-nums"
                  >
                    {seed}
                  </Link>
                ))}
              </span>
            ),
          },
        ]}
      />
    </Panel>
  );
}
