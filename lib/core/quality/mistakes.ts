import { area, decodeCounts, intersectionArea } from '@/lib/core/mask';

/** Kinds of mistakes in an exam, coarse enough to give no answer away. */
export const mistakeKinds = [
  'missedParts',
  'extraParts',
  'drewNothing',
  'drewAbsent',
  'tooLarge',
  'tooSmall',
  'wrongPlace',
] as const;
export type MistakeKind = (typeof mistakeKinds)[number];

/** One exam item: what was found, missed and added, as counts of attributes or of pixels. */
export interface ItemOutcome {
  isMask: boolean;
  found: number;
  missed: number;
  extra: number;
}

/** A kind is named when at least this share of the items shows it, and at least two of them. */
const MIN_SHARE = 0.25;
const MIN_ITEMS = 2;
/** Of the area of an outline: what careful people disagree about counts as no mistake. */
const TOLERANCE = 0.15;
/** Below this overlap an outline is about something else. */
const ELSEWHERE = 0.3;

/** The kinds of mistakes in an exam, the most frequent first. */
export function findMistakes(items: readonly ItemOutcome[]): MistakeKind[] {
  const counts = new Map<MistakeKind, number>();
  for (const item of items) for (const kind of kindsIn(item)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const fewest = Math.min(items.length, Math.max(MIN_ITEMS, MIN_SHARE * items.length));
  return [...counts]
    .filter(([, count]) => count >= fewest)
    .sort(([, a], [, b]) => b - a)
    .map(([kind]) => kind);
}

function kindsIn({ isMask, found, missed, extra }: ItemOutcome): MistakeKind[] {
  if (!isMask) {
    return [
      ...(missed > 0 ? (['missedParts'] as const) : []),
      ...(extra > 0 ? (['extraParts'] as const) : []),
    ];
  }
  const [truth, drawn] = [found + missed, found + extra];
  if (truth === 0) return drawn > 0 ? ['drewAbsent'] : [];
  if (drawn === 0) return ['drewNothing'];
  if (found < ELSEWHERE * Math.min(truth, drawn)) return ['wrongPlace'];
  return [
    ...(extra > TOLERANCE * truth ? (['tooLarge'] as const) : []),
    ...(missed > TOLERANCE * truth ? (['tooSmall'] as const) : []),
  ];
}

/** Compares two stored masks; null is an empty one. */
export function maskOutcome(
  drawn: string | null,
  truth: string | null,
  height: number,
  width: number,
): ItemOutcome {
  const [a, b] = [drawn, truth].map((counts) =>
    counts === null ? null : decodeCounts(counts, height, width),
  );
  const found = a && b ? intersectionArea(a, b) : 0;
  return { isMask: true, found, missed: (b ? area(b) : 0) - found, extra: (a ? area(a) : 0) - found };
}
