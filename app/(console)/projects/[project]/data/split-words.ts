import { formatNumber } from '@/lib/core/format';
import type { SplitSpec } from '@/lib/services/datasets/freeze/split-spec';

const usual = ['train', 'val', 'test'];
const rank = (name: string) => (usual.includes(name) ? usual.indexOf(name) : usual.length);

/** The splits of a version in the order in which they are told; what is kept as JSON has lost it. */
export const orderedSplits = (names: Iterable<string>): string[] =>
  [...names].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en', { numeric: true }));

const sharesOf = (shares: Readonly<Record<string, number>>): string => {
  const sum = Object.values(shares).reduce((all, share) => all + share, 0);
  return orderedSplits(Object.keys(shares))
    .map((name) => `${name} ${formatNumber(((shares[name] ?? 0) / sum) * 100)} %`)
    .join(', ');
};

/** How images were dealt, in words. */
export function splitWords(spec: SplitSpec): string {
  switch (spec.kind) {
    case 'stratified':
      return `Each class in the same shares: ${sharesOf(spec.shares)}. Seed "${spec.seed}".`;
    case 'group':
      return `Whole groups by ${spec.by}: ${sharesOf(spec.shares)}. Seed "${spec.seed}".`;
    case 'folds':
      return `${spec.folds} folds, each with the same share of every class. Seed "${spec.seed}".`;
    case 'column':
      return `As the column "${spec.column}" of the images says.`;
    case 'file':
      return `As a table says (sha256 ${spec.sha256.slice(0, 12)}…).`;
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
