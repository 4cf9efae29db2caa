import type { Member } from './member';
import { shuffled } from './order';

/** Of the images of a part: which keep their part labels when only a share of them may (the paper's E.6). */
export const usualFractions = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const;

/**
 * The images that keep their labels at each fraction, class by class. Nested: what a small fraction keeps, a larger one
 * keeps as well, so that two runs differ by labels that were added and by nothing else. A class with any image keeps
 * at least one.
 */
export function labelledAt(
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
  const ordered = [...byClass.values()].map((list) => shuffled(list, ({ id }) => id, seed));
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
