import { SmallTable } from '@/app/_ui/table';
import { formatNumber } from '@/lib/core/format';

interface Row {
  className: string | null;
  bySplit: Readonly<Record<string, number>>;
  total: number;
}

interface Props {
  splits: readonly string[];
  rows: readonly Row[];
  nameOf: (className: string) => string;
}

/** Images by class and split, with their sums. */
export function SplitTable({ splits, rows, nameOf }: Props) {
  const sum = (split: string) => rows.reduce((all, { bySplit }) => all + (bySplit[split] ?? 0), 0);
  const all = {
    key: 'all',
    name: 'All',
    bySplit: Object.fromEntries(splits.map((split) => [split, sum(split)])),
    total: rows.reduce((count, row) => count + row.total, 0),
  };
  const named = rows.map((row) => ({
    ...row,
    key: `class ${row.className ?? ''}`,
    name: row.className === null ? 'No class' : nameOf(row.className),
  }));
  const count = (n: number) =>
    n === 0 ? <span className="text-ink-3">0</span> : <span>{formatNumber(n)}</span>;
  return (
    <SmallTable
      caption="Images by class and split"
      rows={[all, ...named]}
      rowKey={({ key }) => key}
      empty={null}
      columns={[
        {
          key: 'class',
          title: 'Class',
          cell: ({ key, name }) => (
            <span className={key === 'all' ? 'font-semibold' : undefined}>{name}</span>
          ),
        },
        ...splits.map((split) => ({
          key: split,
          title: split,
          numeric: true,
          cell: ({ bySplit }: (typeof named)[number] | typeof all) => count(bySplit[split] ?? 0),
        })),
        { key: 'total', title: 'All', numeric: true, cell: ({ total }) => count(total) },
      ]}
    />
  );
}
