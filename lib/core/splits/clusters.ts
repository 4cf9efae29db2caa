import type { Member, Tie } from './member';

/** Two images that go together, whatever the reason. */
export type Joined = Pick<Tie, 'a' | 'b'>;

/** Images that go together wherever they go. */
export interface Cluster {
  /** The smallest of their ids: the same whatever order they came in. */
  key: string;
  members: readonly Member[];
}

/** Joins what is tied or declared as one group, also over several steps (a like b, b like c). */
export function clustersOf(members: readonly Member[], ties: readonly Joined[]): Cluster[] {
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
