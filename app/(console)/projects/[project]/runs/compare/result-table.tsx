import Link from 'next/link';
import { SmallTable } from '@/app/_ui/table';
import type { SeedMean, TableRow } from '@/lib/training/report/table-one';
import { Accuracy } from '../accuracy';
import { archName, methodNames } from '../run-words';
import { changeWords, overWords } from './row-words';

const Mean = ({ of }: { of: SeedMean | null }) => <Accuracy of={of} over={of ? overWords(of) : undefined} />;

/** Table 1 of the paper, from runs of this project. */
export function ResultTable({ rows, path }: { rows: TableRow[]; path: string }) {
  return (
    <SmallTable
      caption="Accuracy by architecture and method"
      rows={rows}
      rowKey={({ key }) => key}
      empty={null}
      columns={[
        { key: 'row', title: 'Row', numeric: true, cell: (row) => rows.indexOf(row) + 1 },
        {
          key: 'arch',
          title: 'Architecture',
          className: 'whitespace-nowrap',
          cell: ({ arch }) => <span className="font-medium">{archName(arch)}</span>,
        },
        { key: 'method', title: 'Method', cell: ({ method }) => methodNames[method] },
        {
          key: 'preset',
          title: 'Preset',
          className: 'whitespace-nowrap',
          cell: ({ preset }) => preset ?? '–',
        },
        { key: 'version', title: 'Version', numeric: true, cell: ({ version }) => version },
        {
          key: 'changed',
          title: 'Changed',
          cell: (row) => <span className="block max-w-64 min-w-24 text-xs">{changeWords(row) || '–'}</span>,
        },
        {
          key: 'clean',
          title: 'Clean, 95 %',
          numeric: true,
          cell: ({ clean }) => <Mean of={clean} />,
        },
        { key: 'pgd', title: 'PGD, 95 %', numeric: true, cell: ({ pgd }) => <Mean of={pgd} /> },
        {
          key: 'autoattack',
          title: 'AutoAttack, 95 %',
          numeric: true,
          cell: ({ autoattack }) => <Mean of={autoattack} />,
        },
        {
          key: 'runs',
          title: 'Runs by seed',
          cell: ({ runs }) => (
            <span className="flex flex-wrap gap-x-0.5">
              {runs
                .toSorted((a, b) => a.seed - b.seed)
                .map(({ id, name, seed }) => (
                  <Link
                    key={id}
                    href={`${path}/${id}`}
                    title={name}
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
  );
}
