import { type Assignment, type Member, orderedShares, type Shares, shuffle, type Tie } from './member';

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
  // Images tied to another group bring that group along, so that no group is in two splits.
  const tied = buildClusters(
    members.map(({ group, ...member }) => ({ ...member, groupKey: group })),
    [...ties, ...groupTies(members)],
  );
  const total = Object.values(shares).reduce((all, share) => all + share, 0);
  const behind = new Map(
    Object.entries(shares).map(([part, share]) => [part, total > 0 ? (members.length * share) / total : 0]),
  );
  const assigned = new Map<string, string>();
  const bySize = shuffle(tied, ({ key }) => key, seed).sort((a, b) => b.members.length - a.members.length);
  for (const cluster of bySize) {
    const part = furthestBehind(behind);
    for (const { id } of cluster.members) assigned.set(id, part);
    behind.set(part, (behind.get(part) ?? 0) - cluster.members.length);
  }
  return assigned;
}

/** The curator's own groups, as ties. */
function groupTies(members: readonly Member[]): Joined[] {
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

/** Two images that go together, whatever the reason. */
type Joined = Pick<Tie, 'a' | 'b'>;

/** Images that go together wherever they go. */
export interface Cluster {
  /** The smallest of their ids: the same whatever order they came in. */
  key: string;
  members: readonly Member[];
}

/** Joins what is tied or declared as one group, also over several steps (a like b, b like c). */
export function buildClusters(members: readonly Member[], ties: readonly Joined[]): Cluster[] {
  const parent = new Map(members.map(({ id }) => [id, id]));
  const root = (id: string): string => {
    let at = id;
    for (let up = parent.get(at) as string; up !== at; up = parent.get(at) as string) {
      // Halving the path keeps a chain of thousands short.
      parent.set(at, parent.get(up) as string);
      at = up;
    }
    return at;
  };
  const join = (a: string, b: string) => {
    if (!parent.has(a) || !parent.has(b)) return;
    const [one, other] = [root(a), root(b)];
    const [low, high] = one < other ? [one, other] : [other, one];
    parent.set(high, low);
  };
  const firstOf = new Map<string, string>();
  for (const { id, groupKey } of members) {
    if (groupKey === null) continue;
    const first = firstOf.get(groupKey);
    if (first === undefined) firstOf.set(groupKey, id);
    else join(first, id);
  }
  for (const { a, b } of ties) join(a, b);
  const found = new Map<string, Member[]>();
  for (const member of members) {
    const key = root(member.id);
    const list = found.get(key);
    if (list) list.push(member);
    else found.set(key, [member]);
  }
  return [...found].map(([key, list]) => ({ key, members: list }));
}

/** Two images that belong together and were put apart. */
export interface Leak {
  a: string;
  b: string;
  why: Tie['why'] | 'same group';
  parts: [string, string];
}

/** What straddles a split, as pairs: ties one by one, a group by its first image of each further part. */
export function findLeaks(members: readonly Member[], ties: readonly Tie[], assignment: Assignment): Leak[] {
  const found: Leak[] = [];
  const look = (a: string, b: string, why: Leak['why']) => {
    const [one, other] = [assignment.get(a), assignment.get(b)];
    if (one !== undefined && other !== undefined && one !== other)
      found.push({ a, b, why, parts: [one, other] });
  };
  for (const { a, b, why } of ties) look(a, b, why);
  const seen = new Map<string, Map<string, string>>();
  for (const { id, groupKey } of members) {
    const part = assignment.get(id);
    if (groupKey === null || part === undefined) continue;
    const parts = seen.get(groupKey) ?? new Map<string, string>();
    seen.set(groupKey, parts);
    if (parts.has(part)) continue;
    const [first] = parts.values();
    parts.set(part, id);
    if (first !== undefined) look(first, id, 'same group');
  }
  return found;
}
