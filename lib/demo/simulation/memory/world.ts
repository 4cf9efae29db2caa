import { encodeCounts, fromCounts } from '@/lib/core/mask';
import type { AnswerValue } from '@/lib/core/quality/answer';
import type { Scored } from '@/lib/core/quality/score-check';
import { NONE } from '@/lib/core/schema';
import { normal, type Random, randomFor } from './random';

/**
 * Images without pixels. The form asks for 18 attributes, of which 4.25 are present on average (85 in the 20 images of
 * RIVAL10's exam). Four of them are drawn as parts, one per image on average, so that both stages have about as many
 * items. A mask is an interval of columns in a strip: it has an exact IoU with the truth and with other masks, and the
 * production code decodes and compares it like any mask.
 */
export const FORM = -1;
export const PARTS = 4;
export const STRIP = { height: 1, width: 400 } as const;
const GROUP = 'attributes';

/** How often each attribute is present. The sum is 4.25. */
export const frequencies: readonly number[] = [
  ...[0.25, 0.25, 0.25, 0.25],
  ...[0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.2, 0.15, 0.15, 0.1, 0.1, 0.06, 0.04],
];
export const attributeIds: readonly string[] = frequencies.map((_, i) =>
  i < PARTS ? `part-${i}` : `look-${i}`,
);

/** An interval of columns, or null for "nothing to label". */
export type Outline = { from: number; to: number } | null;

/** `marks` has one bit per attribute; an outline answers a part. */
export type Given = { marks: number } | { outline: Outline };

export type Truth = {
  image: number;
  marks: number;
  /** Difficulty of the form and of the drawing on a logit scale, shared by everybody. Mean 0. */
  difficulty: number;
  outlines: Outline[];
};

/** Standard deviation of the difficulty of images: errors of different people on one image are correlated. */
const DIFFICULTY = 0.5;

export function truthOf(seed: number, image: number): Truth {
  const random = randomFor(seed, 1, image);
  let marks = 0;
  for (const [i, frequency] of frequencies.entries()) if (random() < frequency) marks |= 1 << i;
  const difficulty = DIFFICULTY * normal(random);
  const outlines = Array.from({ length: PARTS }, (_, i) => (marks & (1 << i) ? place(random) : null));
  return { image, marks, difficulty, outlines };
}

/** Between 60 and 140 columns, somewhere in the strip. */
function place(random: Random): Outline {
  const length = 60 + Math.floor(81 * random());
  const from = 20 + Math.floor((STRIP.width - 40 - length) * random());
  return { from, to: from + length };
}

export const isMarked = (marks: number, attribute: number): boolean => (marks & (1 << attribute)) !== 0;

const forms = new Map<number, Scored>();
const masks = new Map<number, Scored>();
const nothing: Scored = { value: { kind: 'nothing' }, mask: null };

/** The answer as production stores it. */
export function storedAnswer(given: Given): Scored {
  return 'marks' in given ? storedForm(given.marks) : storedMask(given.outline);
}

function storedForm(marks: number): Scored {
  const known = forms.get(marks);
  if (known) return known;
  const chosen = attributeIds.filter((_, i) => isMarked(marks, i));
  const value: AnswerValue = {
    kind: 'attributes',
    choices: { [GROUP]: chosen.length > 0 ? chosen : [NONE] },
  };
  forms.set(marks, { value, mask: null });
  return { value, mask: null };
}

function storedMask(outline: Outline): Scored {
  if (!outline) return nothing;
  const { from, to } = outline;
  const key = from * STRIP.width + to;
  const known = masks.get(key);
  if (known) return known;
  const mask = encodeCounts(fromCounts([from, to - from, STRIP.width - to], STRIP.height, STRIP.width));
  const outer = [from, 0, to, 0, to, STRIP.height, from, STRIP.height];
  const shapes = [{ kind: 'polygon' as const, op: 'add' as const, outer, holes: [] }];
  const stored: Scored = { value: { kind: 'mask', shapes }, mask };
  masks.set(key, stored);
  return stored;
}

const markBits = new Map(attributeIds.map((id, i) => [id, 1 << i]));

/** The attributes that a form label claims. */
export function marksIn(value: AnswerValue): number {
  if (value.kind !== 'attributes') return 0;
  return Object.values(value.choices)
    .flat()
    .reduce((marks, id) => marks | (markBits.get(id) ?? 0), 0);
}

/** What a form may contain, for `settle`. */
export const formRules = { [GROUP]: { min: 0, max: frequencies.length, allowsNone: true } };

export function iouOf(a: Outline, b: Outline): number {
  if (!a || !b) return Number(!a && !b);
  const shared = Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from));
  return shared / (a.to - a.from + b.to - b.from - shared);
}
