/** What a model said of one image before and after one edit that is valid for it. */
export interface EditRow {
  sample: string;
  truth: number;
  clean: number;
  edited: number;
}

export interface EditDrop {
  before: number;
  after: number;
  /** before − after, on the same images. */
  drop: number;
  n: number;
}

export function editDrop(rows: readonly EditRow[]): EditDrop | null {
  const n = rows.length;
  if (n === 0) return null;
  const before = rows.filter(({ truth, clean }) => clean === truth).length;
  const after = rows.filter(({ truth, edited }) => edited === truth).length;
  return { before: before / n, after: after / n, drop: (before - after) / n, n };
}

/** What the edit costs beyond cutting out and laying back, on images where both are valid. */
export function dropBeyondControl(rows: readonly EditRow[], control: readonly EditRow[]): EditDrop | null {
  const pasted = new Map(control.map((row) => [row.sample, row.edited]));
  return editDrop(
    rows.flatMap((row) => {
      const clean = pasted.get(row.sample);
      return clean === undefined ? [] : [{ ...row, clean }];
    }),
  );
}

/** Share of images that are right under every edit that is valid for them; null where no edit is. */
export function worstEditAccuracy(
  edits: readonly (readonly EditRow[])[],
): { value: number; n: number } | null {
  const isRight = new Map<string, boolean>();
  for (const { sample, truth, edited } of edits.flat())
    isRight.set(sample, (isRight.get(sample) ?? true) && edited === truth);
  const n = isRight.size;
  return n === 0 ? null : { value: [...isRight.values()].filter(Boolean).length / n, n };
}

/** Share of predictions that an edit leaves as they were, right or wrong. */
export const consistency = (rows: readonly EditRow[]): number | null =>
  rows.length === 0 ? null : rows.filter(({ clean, edited }) => clean === edited).length / rows.length;
