import { buildClusters, type Cluster } from './groups';
import {
  type Assignment,
  hashToUnit,
  type Member,
  orderedShares,
  type Shares,
  shuffle,
  type Tie,
} from './member';

const NO_CLASS = '';

/**
 * Each class gets its shares as exactly as whole images allow; what belongs together stays together. Clusters are
 * dealt from the largest to the smallest, in the order of the seed among equal sizes, each to the part whose classes
 * still miss most of what it brings. Among parts that miss it alike its own draw decides, which depends on the seed and
 * the cluster alone: large clusters do not all end in the first part, and a dataset that has grown by a tenth is not
 * assigned again. Without ties and groups the counts are those of `quotasOf`, class by class.
 */
export function splitStratified(
  members: readonly Member[],
  ties: readonly Tie[],
  { seed, shares: given, minPerClass = 0 }: { seed: string; shares: Shares; minPerClass?: number },
): Assignment {
  const shares = orderedShares(given);
  const parts = Object.keys(shares);
  const missing = missingByClass(members, shares, minPerClass);
  const clusters = shuffle(buildClusters(members, ties), ({ key }) => key, seed);
  const bySize = clusters.sort((a, b) => b.members.length - a.members.length);
  const assigned = new Map<string, string>();
  for (const cluster of bySize) {
    const part = bestPart(cluster, parts, missing, pickPart(shares, hashToUnit(`${seed} part`, cluster.key)));
    for (const member of cluster.members) {
      assigned.set(member.id, part);
      const left = missing.get(member.className ?? NO_CLASS);
      left?.set(part, (left.get(part) ?? 0) - 1);
    }
  }
  return assigned;
}

type Missing = Map<string, Map<string, number>>;

function missingByClass(members: readonly Member[], shares: Shares, minPerClass: number): Missing {
  return new Map(
    [...countByClass(members)].map(([className, count]) => [
      className,
      raiseSmallQuotas(allocateQuotas(count, shares), minPerClass),
    ]),
  );
}

function countByClass(members: readonly Member[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { className } of members)
    counts.set(className ?? NO_CLASS, (counts.get(className ?? NO_CLASS) ?? 0) + 1);
  return counts;
}

/** The part in whose share of the line from 0 to 1 a draw falls. */
function pickPart(shares: Shares, draw: number): string {
  const sum = Object.values(shares).reduce((all, share) => all + share, 0);
  let at = 0;
  let last = '';
  for (const [part, share] of Object.entries(shares)) {
    at += share / sum;
    last = part;
    if (draw < at) break;
  }
  return last;
}

/** Where most of the cluster's images are missed; of equal parts the one drawn, else the one with the largest need. */
function bestPart(
  { members }: Cluster,
  parts: readonly string[],
  missing: Missing,
  preferred: string,
): string {
  const counts = countByClass(members);
  const rated = parts.map((part) => {
    let gain = 0;
    let need = 0;
    for (const [className, count] of counts) {
      const left = missing.get(className)?.get(part) ?? 0;
      // What goes over the quota counts against the part.
      gain += Math.min(count, left);
      need += left;
    }
    return { part, gain, need };
  });
  rated.sort(
    (a, b) =>
      b.gain - a.gain || Number(b.part === preferred) - Number(a.part === preferred) || b.need - a.need,
  );
  return rated[0]?.part as string;
}

/**
 * Whole numbers that add up to `total`, as near to the shares as they can be: the remainders are given to the largest
 * fractions (Hamilton), and between equal ones to the part named first.
 */
export function allocateQuotas(total: number, shares: Shares): Map<string, number> {
  const sum = Object.values(shares).reduce((all, share) => all + share, 0);
  const exact = Object.entries(shares).map(([part, share], place) => {
    const wanted = sum > 0 ? (total * share) / sum : 0;
    // A share of 0.1 of 30 is 3, not 2.9999999999999996.
    const whole = Math.floor(wanted + 1e-9);
    return { part, place, whole, rest: wanted - whole };
  });
  let left = total - exact.reduce((all, { whole }) => all + whole, 0);
  const byRest = [...exact].sort((a, b) => b.rest - a.rest || a.place - b.place);
  for (const entry of byRest) {
    if (left <= 0) break;
    entry.whole += 1;
    left -= 1;
  }
  return new Map(exact.map(({ part, whole }) => [part, whole]));
}

/** Images of a class that every split receives by default: fewer say almost nothing about a model. */
export const DEFAULT_MIN_PER_CLASS = 5;

/**
 * Raises quotas below the minimum at the cost of the largest one. With few images the minimum shrinks, so that the
 * largest part of three keeps at least three fifths of a class.
 */
export function raiseSmallQuotas(
  quotas: ReadonlyMap<string, number>,
  minPerClass: number,
): Map<string, number> {
  const raised = new Map(quotas);
  const total = [...quotas.values()].reduce((sum, quota) => sum + quota, 0);
  const target = Math.min(minPerClass, Math.floor(total / (quotas.size + 2)));
  const [largest] = [...quotas].sort(([, a], [, b]) => b - a)[0] ?? [];
  if (largest === undefined) return raised;
  for (const [part, quota] of quotas) {
    if (part === largest || quota >= target) continue;
    const spare = (raised.get(largest) ?? 0) - target;
    const moved = Math.max(0, Math.min(target - quota, spare));
    raised.set(part, quota + moved);
    raised.set(largest, (raised.get(largest) ?? 0) - moved);
  }
  return raised;
}

/** Of the images of a part: which keep their part labels when only a share of them may (the paper's E.6). */
export const defaultFractions = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const;

/**
 * The images that keep their labels at each fraction, class by class. Nested: what a small fraction keeps, a larger one
 * keeps as well, so that two runs differ by labels that were added and by nothing else. A class with any image keeps
 * at least one.
 */
export function selectLabelled(
  members: readonly Member[],
  fractions: readonly number[],
  seed: string,
): Map<number, Set<string>> {
  const byClass = new Map<string, Member[]>();
  for (const member of members) {
    const list = byClass.get(member.className ?? '');
    if (list) list.push(member);
    else byClass.set(member.className ?? '', [member]);
  }
  const ordered = [...byClass.values()].map((list) => shuffle(list, ({ id }) => id, seed));
  return new Map(
    fractions.map((fraction) => [
      fraction,
      new Set(
        ordered.flatMap((list) =>
          list.slice(0, Math.max(1, Math.round(list.length * fraction))).map(({ id }) => id),
        ),
      ),
    ]),
  );
}

/** Names of folds sort as their numbers do. */
export const foldName = (index: number, count: number): string =>
  `fold-${String(index + 1).padStart(String(count).length, '0')}`;

/** Stratified folds of equal size; each is the test of the run that trains on the others. */
export function splitIntoFolds(
  members: readonly Member[],
  ties: readonly Tie[],
  { seed, folds }: { seed: string; folds: number },
): Assignment {
  const shares = Object.fromEntries(Array.from({ length: folds }, (_, i) => [foldName(i, folds), 1]));
  return splitStratified(members, ties, { seed, shares });
}
