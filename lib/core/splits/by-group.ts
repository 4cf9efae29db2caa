import { clustersOf, type Joined } from './clusters';
import { type Assignment, type Member, orderedShares, type Shares, type Tie } from './member';
import { shuffled } from './order';

/**
 * Whole groups (a wnid, a city, any column) go to one part each, as in Part-ImageNet's own split: the parts share no
 * group, so a test tells about groups that were never seen. Groups are dealt from the largest to the smallest to the
 * part that is furthest behind its share of images.
 */
export function splitByGroup(
  members: readonly (Member & { group: string })[],
  ties: readonly Tie[],
  { seed, shares: given }: { seed: string; shares: Shares },
): Assignment {
  const shares = orderedShares(given);
  // Whoever is tied to another group brings that group along: nothing may straddle.
  const tied = clustersOf(
    members.map(({ group, ...member }) => ({ ...member, groupKey: group })),
    [...ties, ...declared(members)],
  );
  const total = Object.values(shares).reduce((all, share) => all + share, 0);
  const behind = new Map(
    Object.entries(shares).map(([part, share]) => [part, total > 0 ? (members.length * share) / total : 0]),
  );
  const assigned = new Map<string, string>();
  const bySize = shuffled(tied, ({ key }) => key, seed).sort((a, b) => b.members.length - a.members.length);
  for (const cluster of bySize) {
    const part = furthestBehind(behind);
    for (const { id } of cluster.members) assigned.set(id, part);
    behind.set(part, (behind.get(part) ?? 0) - cluster.members.length);
  }
  return assigned;
}

/** The curator's own groups, as ties. */
function declared(members: readonly Member[]): Joined[] {
  const first = new Map<string, string>();
  return members.flatMap(({ id, groupKey }): Joined[] => {
    if (groupKey === null) return [];
    const known = first.get(groupKey);
    if (known === undefined) {
      first.set(groupKey, id);
      return [];
    }
    return [{ a: known, b: id }];
  });
}

function furthestBehind(behind: ReadonlyMap<string, number>): string {
  let best = '';
  let most = Number.NEGATIVE_INFINITY;
  for (const [part, missing] of behind) {
    if (missing <= most) continue;
    best = part;
    most = missing;
  }
  return best;
}
