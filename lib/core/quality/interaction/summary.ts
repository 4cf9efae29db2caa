import { z } from 'zod';

/** Far above what a person does on one item, and small enough for every sum to stay exact. */
const MAX_COUNT = 1_000_000;
const MAX_MS = 86_400_000;

const count = z.number().int().min(0).max(MAX_COUNT);
const milliseconds = z.number().min(0).max(MAX_MS);

/**
 * How an answer was entered: counts and spreads only, never positions or keys. The browser computes it, so it proves
 * nothing about somebody who writes a client of their own; see docs/quality.md#programs-posing-as-people.
 */
export const InteractionSummary = z.strictObject({
  version: z.literal(1),
  /** Presses of any pointer. */
  downs: count,
  /** Of these, presses by finger or pen: both can come down anywhere without moving there. */
  touches: count,
  /** Pointer positions on the way, including those the browser merged into one event. */
  moves: count,
  ups: count,
  /** Key presses without automatic repetition. */
  keys: count,
  wheels: count,
  /** Clicks without a pointer or key press: screen readers, voice control and switches cause these. */
  clicks: count,
  /** Events made by a script on the page (`isTrusted` is false). */
  untrusted: count,
  /** How often the page lost the focus or was hidden. */
  leaves: count,
  /** Length of the pointer's path in screen pixels. */
  pathPx: z.number().min(0).max(1e9),
  /** Mouse movements of 30 px or more without a pressed button, ended by a press or a short stop. */
  reaches: count,
  /** Of these, movements that leave a straight line by less than a pixel or 0.4 % of their length. */
  straightReaches: count,
  /** Of these, movements in steps of equal length. */
  steadyReaches: count,
  /** Mean of distance divided by path over the movements; null without movements. */
  straightness: z.number().min(0).max(1).nullable(),
  /** Local maxima of speed. People speed up and slow down in every movement. */
  speedPeaks: count,
  /** Mouse presses 5 px or more away from the last resting place, with at most two positions on the way. */
  jumps: count,
  /** Gaps of more than half a second between two events. */
  pauses: count,
  /** Time between two presses of a pointer or key; null with fewer than four such gaps. */
  gapMedianMs: milliseconds.nullable(),
  /** Interquartile range of the logarithms of these gaps; null with fewer than eight. */
  gapSpread: z.number().min(0).max(20).nullable(),
  /** From the item on the screen to the first event; null without events. */
  firstMs: milliseconds.nullable(),
  /** Part of the work was done elsewhere or before a reload, so the counts do not cover all of it. */
  isResumed: z.boolean(),
});
export type InteractionSummary = z.infer<typeof InteractionSummary>;

/** Events that people enter answers with, including those of assistive technology. */
export const actsOf = ({ downs, keys, clicks }: InteractionSummary): number => downs + keys + clicks;

/** Events that could each have placed one vertex. */
export const placingEvents = ({ downs, ups, moves, keys, clicks }: InteractionSummary): number =>
  downs + ups + moves + keys + clicks;

/** Reads a stored summary. Unknown or damaged ones count as not measured. */
export const readInteraction = (stored: unknown): InteractionSummary | null =>
  InteractionSummary.safeParse(stored).data ?? null;

export const clampCount = (value: number): number => Math.min(MAX_COUNT, Math.max(0, Math.round(value)));
export const clampMs = (value: number): number => Math.min(MAX_MS, Math.max(0, Math.round(value)));

const MIN_REACHES = 5;
const MIN_PRESSES = 5;
/** Interquartile range of log gaps. Practised tapping varies by 4 % or more, a timer by far less. */
const EVEN_BELOW = 0.12;
const CONSTANT_BELOW = 0.03;
/** Pointing at something and pressing takes a hand longer than this (Fitts 1954). */
const INSTANT_MS = 250;

const machineMarks = [
  'scripted-events',
  'even-rhythm',
  'constant-rhythm',
  'ruled-lines',
  'equal-steps',
  'jumps',
  'instant-jumps',
] as const;
export type MachineMark = (typeof machineMarks)[number];

/**
 * What is machine-like about how an answer was entered. A person may well show one of these: tapping has an even rhythm,
 * voice control with a grid jumps, extensions for keyboard users script their clicks. Two at once are unusual.
 */
export function marksOf(summary: InteractionSummary): MachineMark[] {
  const { downs, touches, keys, clicks, moves, untrusted, gapSpread, gapMedianMs } = summary;
  const { reaches, straightReaches, steadyReaches, jumps } = summary;
  const presses = downs - touches;
  const isJumping = presses >= MIN_PRESSES && jumps >= 0.8 * (presses - 1);
  const shows: Record<MachineMark, boolean> = {
    'scripted-events': untrusted >= 3 && untrusted > 0.2 * (downs + keys + clicks + moves),
    'even-rhythm': gapSpread !== null && gapSpread < EVEN_BELOW,
    'constant-rhythm': gapSpread !== null && gapSpread < CONSTANT_BELOW,
    'ruled-lines': reaches >= MIN_REACHES && straightReaches >= 0.9 * reaches,
    'equal-steps': reaches >= MIN_REACHES && steadyReaches >= 0.9 * reaches,
    jumps: isJumping,
    'instant-jumps': isJumping && gapMedianMs !== null && gapMedianMs < INSTANT_MS,
  };
  return machineMarks.filter((mark) => shows[mark]);
}
