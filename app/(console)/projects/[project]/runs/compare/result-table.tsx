import Link from 'next/link';
import { SmallTable } from '@/app/_ui/table';
import type { SeedMean, TableRow } from '@/lib/services/training/report/table-one';
import { Accuracy } from '../accuracy';
import { Two } from '../run-table';
import { archName, methodNames } from '../run-words';
import { changesOf, overWords } from './row-words';

const Mean = ({ of }: { of: SeedMean | null }) => <Accuracy of={of} over={of ? overWords(of) : undefined} />;

/** A setting with its value is not torn apart. */
const Changed = ({ changes }: { changes: string[] }) => (
  <span className="flex max-w-96 flex-wrap gap-x-3 text-xs">
    {changes.length === 0
      ? '–'
      : changes.map((each) => (
          <span key={each} className="max-w-48 truncate" title={each}>
            {each}
          </span>
        ))}
  </span>
);

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
          title: 'Architecture, method',
          cell: ({ arch, method }) => <Two above={archName(arch)} below={methodNames[method]} />,
        },
        {
          key: 'preset',
          title: 'Preset, data',
          cell: ({ preset, version }) => <Two above={preset ?? '–'} below={`version ${version}`} />,
        },
        {
          key: 'changed',
          title: 'Changed',
          cell: (row) => <Changed changes={changesOf(row)} />,
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
