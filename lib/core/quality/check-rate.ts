import type { Policy } from './policy';
import { evidenceLimit } from './sequential';

/** What is known of a worker in a stage. */
export type Seen = {
  itemsDone: number;
  /** From `suspicionOf`; above 0 it leans bad. */
  evidence: number;
};

type CheckPolicy = Pick<Policy, 'checkRate' | 'checkSchedule'>;

/** A newcomer is unknown: a quarter of the first 20 items, as long as one batch of RIVAL10. */
const FIRST = { items: 20, rate: 0.25 };
/** A tenth up to here when the schedule is front-loaded. */
const SECOND = { items: 80, rate: 0.1 };
/** As much as suspicion may ask for: more would tell the worker that something is up. */
const SUSPECT_RATE = 0.3;

/** The probability that the next item of a worker is a check. A policy without checks has none. */
export function checkRateAt(policy: CheckPolicy, seen: Seen): number {
  const { checkRate, checkSchedule } = policy;
  if (checkRate === 0 || checkSchedule === 'flat') return checkRate;
  if (seen.itemsDone < FIRST.items) return Math.max(checkRate, FIRST.rate);
  if (checkSchedule === 'front-loaded')
    return seen.itemsDone < SECOND.items ? Math.max(checkRate, SECOND.rate) : checkRate;
  const suspicion = Math.min(1, Math.max(0, seen.evidence / evidenceLimit()));
  return checkRate + suspicion * Math.max(0, SUSPECT_RATE - checkRate);
}

/**
 * How many images of the next batch are replaced by gold images. `sizes` are the numbers of items that the images
 * hold; the rate is that of an image's first item. The fraction left after whole checks becomes one more at random,
 * so that the share is right in the long run. A batch never consists of checks only, unless it is one image.
 */
export function planChecks(
  policy: CheckPolicy,
  seen: Seen,
  sizes: readonly number[],
  random: () => number,
): number {
  let wanted = 0;
  let itemsDone = seen.itemsDone;
  for (const size of sizes) {
    wanted += checkRateAt(policy, { ...seen, itemsDone });
    itemsDone += size;
  }
  const whole = Math.floor(wanted);
  const count = whole + (random() < wanted - whole ? 1 : 0);
  return Math.min(count, Math.max(sizes.length - 1, Math.min(sizes.length, 1)));
}
