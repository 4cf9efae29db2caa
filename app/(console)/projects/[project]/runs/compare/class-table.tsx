import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { formatNumber, formatPercentInterval } from '@/lib/core/format';
import { wilson } from '@/lib/core/quality/interval';
import type { Pooled, TableRow } from '@/lib/services/training/report/table-one';
import { changeWords, rowName } from './row-words';

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
