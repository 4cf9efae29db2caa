import { type Cluster, clustersOf } from './clusters';
import { type Assignment, type Member, orderedShares, type Shares, type Tie } from './member';
import { drawn, shuffled } from './order';
import { quotasOf } from './quotas';

const NO_CLASS = '';

/**
 * Each class gets its shares as exactly as whole images allow; what belongs together stays together. Clusters are
 * dealt from the largest to the smallest, in the order of the seed among equal sizes, each to the part whose classes
 * still miss most of what it brings. Among parts that miss it alike its own draw decides, which depends on the seed and
 * the cluster alone: large clusters do not all end in the first part, and a dataset that has grown by a tenth is not
 * dealt anew. Without ties and groups the counts are those of `quotasOf`, class by class.
 */
export function splitStratified(
  members: readonly Member[],
  ties: readonly Tie[],
  { seed, shares: given }: { seed: string; shares: Shares },
): Assignment {
  const shares = orderedShares(given);
  const parts = Object.keys(shares);
  const missing = missingByClass(members, shares);
  const clusters = shuffled(clustersOf(members, ties), ({ key }) => key, seed);
  const bySize = clusters.sort((a, b) => b.members.length - a.members.length);
  const assigned = new Map<string, string>();
  for (const cluster of bySize) {
    const part = bestPart(cluster, parts, missing, drawnPart(shares, drawn(`${seed} part`, cluster.key)));
    for (const member of cluster.members) {
      assigned.set(member.id, part);
      const left = missing.get(member.className ?? NO_CLASS);
      left?.set(part, (left.get(part) ?? 0) - 1);
    }
  }
  return assigned;
}

type Missing = Map<string, Map<string, number>>;

function missingByClass(members: readonly Member[], shares: Shares): Missing {
  return new Map(
    [...countByClass(members)].map(([className, count]) => [className, quotasOf(count, shares)]),
  );
}

function countByClass(members: readonly Member[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { className } of members)
    counts.set(className ?? NO_CLASS, (counts.get(className ?? NO_CLASS) ?? 0) + 1);
  return counts;
}

/** The part in whose share of the line from 0 to 1 a draw falls. */
function drawnPart(shares: Shares, draw: number): string {
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
