import Link from 'next/link';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { formatNumber, formatPercentInterval } from '@/lib/core/format';
import { wilson } from '@/lib/core/quality/interval';
import type { Pooled, SeedMean, TableRow } from '@/lib/services/training/report/table-one';
import { Accuracy, Two } from '../run-table';
import { archName, changesOf, changeWords, methodNames, overWords, rowName } from '../run-words';

interface Props {
  rows: TableRow[];
  classes: ReadonlyMap<string, string[]>;
}

function Share({ of }: { of: Pooled | undefined }) {
  const share = of && wilson(of.correct, of.n);
  if (!share) return <span className="text-ink-3">–</span>;
  return (
    <span className="whitespace-nowrap">
      {formatPercentInterval(share.value, [share.low, share.high], 0)}{' '}
      <span className="text-xs text-ink-3">{formatNumber(share.n)}</span>
    </span>
  );
}

/** Clean and adversarial accuracy of each class, over the seeds of a row together. */
export function ClassTable({ rows, classes }: Props) {
  const lists = new Map<string, TableRow[]>();
  for (const row of rows) {
    const names = classes.get(row.key) ?? [];
    if (names.length === 0) continue;
    const key = names.join('\n');
    lists.set(key, [...(lists.get(key) ?? []), row]);
  }
  return [...lists].map(([key, members], list) => (
    <Panel
      key={key}
      title="Per class"
      description="Above: clean. Below: adversarial. Test images of all seeds together; intervals are Wilson's, 95 %; small figures are n."
      flush
    >
      <SmallTable
        caption={`Accuracy per class${list ? `, list ${list + 1}` : ''}`}
        rows={members}
        rowKey={(row) => row.key}
        empty={null}
        columns={[
          {
            key: 'row',
            title: 'Architecture and method',
            cell: (row) => (
              <>
                <span className="font-medium">{rowName(row)}</span>
                <span className="block w-64 text-xs text-ink-3">
                  {[row.preset, changeWords(row)].filter(Boolean).join(', ')}
                </span>
              </>
            ),
          },
          ...key.split('\n').map((name, at) => ({
            key: name,
            title: name,
            numeric: true,
            cell: ({ perClass }: TableRow) => (
              <>
                <span className="block">
                  <Share of={perClass.clean[at]} />
                </span>
                <span className="block">
                  <Share of={perClass.adversarial[at]} />
                </span>
              </>
            ),
          })),
        ]}
      />
    </Panel>
  ));
}

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
