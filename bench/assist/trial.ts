import type { Point } from '@/lib/core/geometry';
import { area, components, difference, iou, type Mask } from '@/lib/core/mask';

export interface Trial {
  effort: Effort;
  iou: number;
}

export const ENOUGH = 0.9;

/** The largest connected mistake: what a person corrects next. */
function worstMistake(found: Mask, truth: Mask): { mask: Mask; isMissing: boolean } {
  const missing = components(difference(truth, found), 4).map((mask) => ({ mask, isMissing: true }));
  const wrong = components(difference(found, truth), 4).map((mask) => ({ mask, isMissing: false }));
  const [worst] = [...missing, ...wrong].sort((a, b) => area(b.mask) - area(a.mask));
  return worst ?? { mask: truth, isMissing: true };
}

/** Shows more and more, until the suggestion is good enough or it is time to give up. */
export async function correctUntilGood(
  truth: Mask,
  most: number,
  next: (mistake: { mask: Mask; isMissing: boolean } | undefined) => Promise<{ found: Mask; effort: Effort }>,
): Promise<Trial> {
  let best: Trial = { effort: nothingDone, iou: 0 };
  let effort = nothingDone;
  let found: Mask | undefined;
  for (let i = 0; i < most && best.iou < ENOUGH; i++) {
    const step = await next(found && worstMistake(found, truth));
    ({ found } = step);
    effort = add(effort, step.effort);
    best = { effort, iou: iou(found, truth) };
  }
  return { ...best, effort: { ...best.effort, keys: best.effort.keys + 1 } };
}

function add(a: Effort, b: Effort): Effort {
  return {
    clicks: a.clicks + b.clicks,
    drags: a.drags + b.drags,
    keys: a.keys + b.keys,
    looks: a.looks + b.looks,
    computeMs: a.computeMs + b.computeMs,
  };
}

/** What a person did to get a mask. */
export interface Effort {
  /** Points at a place and presses. */
  clicks: number;
  /** Presses, goes on to another place, releases: a box or a scribble. */
  drags: number;
  /** Keys: Enter, mostly. */
  keys: number;
  /** Suggestions looked at and judged. */
  looks: number;
  /** The machine's part, as far as the person waits for it. */
  computeMs: number;
}

export const nothingDone: Effort = { clicks: 0, drags: 0, keys: 0, looks: 0, computeMs: 0 };

export function both(a: Effort, b: Effort): Effort {
  return {
    clicks: a.clicks + b.clicks,
    drags: a.drags + b.drags,
    keys: a.keys + b.keys,
    looks: a.looks + b.looks,
    computeMs: a.computeMs + b.computeMs,
  };
}

/**
 * Seconds of the keystroke-level model (Card, Moran and Newell, CACM 1980): to point 1.1, to press or release a
 * button 0.1, to hit a key 0.28, to think 1.35. Somebody who draws a polygon is given no time to think at all.
 */
const POINT = 1.1;
const BUTTON = 0.1;
const KEY = 0.28;
const THINK = 1.35;

export function secondsOf({ clicks, drags, keys, looks, computeMs }: Effort): number {
  const click = POINT + 2 * BUTTON;
  const drag = 2 * POINT + 2 * BUTTON;
  return clicks * click + drags * drag + keys * KEY + looks * THINK + computeMs / 1000;
}

/** How far from where it was meant a click lands at most, in image pixels, in both directions. */
const MISS = 1.5;

/** Where a click lands; the same place is always missed alike. */
export function landing([x, y]: Point): Point {
  return [x + MISS * unsteadiness(x, y, 1), y + MISS * unsteadiness(x, y, 2)];
}

/** −1 … 1, from the place alone (a common hash for shaders; only its scatter matters). */
function unsteadiness(x: number, y: number, axis: number): number {
  const wild = Math.sin(x * 12.9898 + y * 78.233 + axis * 37.719) * 43758.5453;
  return 2 * (wild - Math.floor(wild)) - 1;
}
