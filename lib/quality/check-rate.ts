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

/** The chance that the next item of a worker is a check. A policy without checks has none. */
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
 * How many items of the next batch are checks. What is left of the sum of the rates after whole checks becomes
 * one more by chance, so that the share is right in the long run and the number tells nothing. A batch is
 * never checks only, unless it is of one item.
 */
export function planChecks(policy: CheckPolicy, seen: Seen, size: number, random: () => number): number {
  let wanted = 0;
  for (let i = 0; i < size; i++) wanted += checkRateAt(policy, { ...seen, itemsDone: seen.itemsDone + i });
  const whole = Math.floor(wanted);
  const count = whole + (random() < wanted - whole ? 1 : 0);
  return Math.min(count, Math.max(size - 1, Math.min(size, 1)));
}
