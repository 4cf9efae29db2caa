import Link from 'next/link';
import { State } from '@/app/_ui/state';
import { SmallTable } from '@/app/_ui/table';
import { formatDateTime, formatNumber } from '@/lib/core/format';
import type { EvaluationView } from '@/lib/services/evaluations/list-evaluations';
import { Two } from '../runs/run-table';
import { findingText } from './finding-text';

const shown = [
  ['clean-accuracy', 'Clean accuracy'],
  ['rfs', 'RFS'],
  ['background-gap', 'Background gap'],
  ['corruption-accuracy', 'Corruptions'],
  ['adversarial-accuracy', 'Robust accuracy'],
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
          title: 'Suite, data',
          cell: ({ suite, options, version, metrics }) => (
            <Two
              above={`${suite}, ${options.preset}`}
              below={`version ${version}${metrics ? `, n = ${formatNumber(metrics.images)}` : ''}`}
            />
          ),
        },
        ...shown.map(([id, title]) => ({
          key: id,
          title,
          numeric: true,
          cell: ({ metrics }: EvaluationView) =>
            findingText(metrics?.findings.find((finding) => finding.id === id)),
        })),
        {
          key: 'at',
          title: 'When, UTC',
          className: 'tabular-nums',
          cell: ({ at, by }) => <Two above={formatDateTime(at)} below={by ?? '–'} />,
        },
      ]}
    />
  );
}
