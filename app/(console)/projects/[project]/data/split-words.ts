import type { SplitSpec } from '@/lib/datasets/freeze/split-spec';
import { formatNumber } from '@/lib/format';

const sharesOf = (shares: Readonly<Record<string, number>>): string => {
  const sum = Object.values(shares).reduce((all, share) => all + share, 0);
  return Object.entries(shares)
    .map(([name, share]) => `${name} ${formatNumber((share / sum) * 100)} %`)
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
  Object.entries(bySplit)
    .map(([split, count]) => `${split} ${formatNumber(count)}`)
    .join(', ');
