import { SmallTable } from '@/app/_ui/table';
import { formatNumber } from '@/lib/core/format';
import type { SplitSpec } from '@/lib/services/datasets/freeze/request';

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

const usual = ['train', 'val', 'test'];
const rank = (name: string) => (usual.includes(name) ? usual.indexOf(name) : usual.length);

/** The splits of a version in their usual order, which stored JSON does not preserve. */
export const orderedSplits = (names: Iterable<string>): string[] =>
  [...names].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en', { numeric: true }));

const sharesOf = (shares: Readonly<Record<string, number>>): string => {
  const sum = Object.values(shares).reduce((all, share) => all + share, 0);
  return orderedSplits(Object.keys(shares))
    .map((name) => `${name} ${formatNumber(((shares[name] ?? 0) / sum) * 100)} %`)
    .join(', ');
};

/** Describes how images were assigned to splits. */
export function splitWords(spec: SplitSpec): string {
  switch (spec.kind) {
    case 'stratified':
      return `Stratified by class: ${sharesOf(spec.shares)}. Seed "${spec.seed}".`;
    case 'group':
      return `Grouped by ${spec.by}: ${sharesOf(spec.shares)}. Seed "${spec.seed}".`;
    case 'folds':
      return `${spec.folds} folds, each with the same share of every class. Seed "${spec.seed}".`;
    case 'column':
      return `From the image column "${spec.column}".`;
    case 'file':
      return `From an uploaded table (SHA-256 ${spec.sha256.slice(0, 12)}…).`;
    case 'none':
      return 'Not split.';
  }
}

/** "train 800, val 100, test 100". */
export const splitCounts = (bySplit: Readonly<Record<string, number>>): string =>
  orderedSplits(Object.keys(bySplit))
    .map((split) => `${split} ${formatNumber(bySplit[split])}`)
    .join(', ');

/** The same for a narrow column: "5 folds of 120 to 124". */
export function splitBrief(bySplit: Readonly<Record<string, number>>): string {
  const counts = Object.values(bySplit);
  if (counts.length <= 3) return splitCounts(bySplit);
  const [least, most] = [Math.min(...counts), Math.max(...counts)].map((count) => formatNumber(count));
  const kind = Object.keys(bySplit).every((name) => name.startsWith('fold-')) ? 'folds' : 'splits';
  return `${counts.length} ${kind} of ${least === most ? least : `${least} to ${most}`}`;
}
