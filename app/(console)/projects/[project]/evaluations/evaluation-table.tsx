import Link from 'next/link';
import { State } from '@/app/_ui/state';
import { SmallTable } from '@/app/_ui/table';
import type { EvaluationView } from '@/lib/evaluate/list-evaluations';
import { formatDateTime } from '@/lib/format';
import { findingText } from './finding-text';

const shown = [
  ['clean-accuracy', 'Accuracy'],
  ['rfs', 'RFS'],
  ['background-gap', 'Background gap'],
  ['corruption-accuracy', 'Corrupted'],
  ['adversarial-accuracy', 'Adversarial'],
] as const;

export function EvaluationTable({ evaluations, home }: { evaluations: EvaluationView[]; home: string }) {
  return (
    <SmallTable
      caption="Evaluations"
      rows={evaluations}
      rowKey={({ id }) => id}
      empty={null}
      columns={[
        {
          key: 'model',
          title: 'Model',
          cell: ({ id, model }) => (
            <Link
              href={`${home}/evaluations/${id}`}
              className="line-clamp-2 min-w-40 font-medium underline-offset-2 hover:underline"
            >
              {model}
            </Link>
          ),
        },
        { key: 'state', title: 'State', cell: ({ state }) => <State state={state} /> },
        {
          key: 'suite',
          title: 'Suite',
          className: 'whitespace-nowrap',
          cell: ({ suite, options }) => `${suite}, ${options.preset}`,
        },
        { key: 'version', title: 'Version', numeric: true, cell: ({ version }) => version },
        ...shown.map(([id, title]) => ({
          key: id,
          title,
          numeric: true,
          cell: ({ metrics }: EvaluationView) =>
            findingText(metrics?.findings.find((finding) => finding.id === id)),
        })),
        { key: 'by', title: 'By', className: 'whitespace-nowrap', cell: ({ by }) => by ?? '–' },
        {
          key: 'at',
          title: 'When, UTC',
          className: 'whitespace-nowrap tabular-nums',
          cell: ({ at }) => formatDateTime(at),
        },
      ]}
    />
  );
}
