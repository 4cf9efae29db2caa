import type { Assignment, Member, Tie } from './member';

/** Two images that belong together and were put apart. */
export interface Leak {
  a: string;
  b: string;
  why: Tie['why'] | 'same group';
  parts: [string, string];
}

/** What straddles a split, as pairs: ties one by one, a group by its first image of each further part. */
export function leaksOf(members: readonly Member[], ties: readonly Tie[], assignment: Assignment): Leak[] {
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
