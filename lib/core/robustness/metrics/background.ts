/** An object on another image's background, and what the model saw in it. */
export interface MixedRow {
  object: string;
  background: string;
  predicted: string;
}

/** How often the object was seen, and how often the background's class instead of it. */
export function readMixed(rows: readonly MixedRow[]): { accuracy: number | null; follows: number | null } {
  if (rows.length === 0) return { accuracy: null, follows: null };
  const right = rows.filter(({ object, predicted }) => predicted === object).length;
  const follows = rows.filter(
    ({ object, background, predicted }) => background !== object && predicted === background,
  ).length;
  return { accuracy: right / rows.length, follows: follows / rows.length };
}

/** What a background of another class costs beside one of the same class. */
export const backgroundGap = (same: number, other: number): number => same - other;
