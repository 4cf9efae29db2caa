import { area, components, difference, iou, type Mask } from '@/lib/core/mask';
import { type Effort, nothingDone } from './hand';

export interface Trial {
  effort: Effort;
  iou: number;
}

export const ENOUGH = 0.9;

/** The largest connected mistake: what a person corrects next. */
export function worstMistake(found: Mask, truth: Mask): { mask: Mask; isMissing: boolean } {
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
