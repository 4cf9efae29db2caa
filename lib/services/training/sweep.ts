import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { JobSpec } from '@/lib/core/training-spec';

/** More than anybody trains; the budget takes some of them. */
const MOST = 400;

export const axes = ['lr', 'weightDecay', 'cSeg', 'beta', 'labelledFraction'] as const;
type Axis = (typeof axes)[number];

const values = (value: z.ZodNumber) => z.array(value).min(1).max(20);

/** Settings that are tried out, each with the values it is given. */
export const Sweep = z
  .strictObject({
    /** Of every stage. */
    lr: values(z.number().positive().max(100)).optional(),
    weightDecay: values(z.number().min(0).max(1)).optional(),
    cSeg: values(z.number().min(0).max(1)).optional(),
    /** Of TRADES. */
    beta: values(z.number().min(0).max(1000)).optional(),
    /** Share of the training images that keep their part labels: what labels are worth. */
    labelledFraction: values(z.number().min(0).max(1)).optional(),
  })
  .refine((sweep) => axes.reduce((all, axis) => all * (sweep[axis]?.length ?? 1), 1) <= MOST, {
    message: `A sweep has at most ${MOST} combinations.`,
  });
export type Sweep = z.infer<typeof Sweep>;

export const Budget = z.strictObject({
  runs: z.number().int().min(1).max(200).default(24),
  /** By the estimate, all runs one after the other. */
  minutes: z.number().positive().max(100_000).optional(),
});
export type Budget = z.infer<typeof Budget>;

/** One combination of values. */
export type Trial = Partial<Record<Axis, number>>;

/** Every combination, the last axis first; of nothing there is one, which changes nothing. */
export function trialsOf(sweep: Sweep): Trial[] {
  return axes.reduce<Trial[]>(
    (trials, axis) => {
      const tried = sweep[axis];
      if (!tried) return trials;
      return trials.flatMap((trial) => [...new Set(tried)].map((value) => ({ ...trial, [axis]: value })));
    },
    [{}],
  );
}

/** The paths of a spec that an axis means: a learning rate is that of every stage. */
export function settingsOfTrial(trial: Trial, { stages }: Pick<JobSpec, 'stages'>): Record<string, number> {
  const set: Record<string, number> = {};
  const { lr, weightDecay, cSeg, beta, labelledFraction } = trial;
  if (lr !== undefined) for (const at of stages.keys()) set[`stages.${at}.lr`] = lr;
  if (weightDecay !== undefined) set['train.weightDecay'] = weightDecay;
  if (cSeg !== undefined) set['train.cSeg'] = cSeg;
  // Where there is no TRADES stage the path is not there, and the spec says so.
  if (beta !== undefined) set[`stages.${stages.length - 1}.beta`] = beta;
  if (labelledFraction !== undefined) set['data.labelledFraction'] = labelledFraction;
  return set;
}

export interface Chosen {
  trials: Trial[];
  /** Combinations that the budget leaves out. */
  left: number;
}

/**
 * As many combinations as the budget allows with every seed each: all of them, else a draw that depends on nothing but
 * what is tried.
 */
export function withinBudget(
  sweep: Sweep,
  { budget, seeds, seconds }: { budget: Budget; seeds: number; seconds: number },
): Chosen {
  const all = trialsOf(sweep);
  const byTime =
    budget.minutes === undefined ? Number.POSITIVE_INFINITY : (budget.minutes * 60) / (seconds * seeds);
  const most = Math.floor(Math.min(budget.runs / seeds, byTime));
  if (all.length <= most) return { trials: all, left: 0 };
  const drawn = new Set(all.toSorted((a, b) => placeOf(a).localeCompare(placeOf(b))).slice(0, most));
  return { trials: all.filter((trial) => drawn.has(trial)), left: all.length - most };
}

const placeOf = (trial: Trial): string => createHash('sha256').update(JSON.stringify(trial)).digest('hex');

const names: Record<Axis, string> = {
  lr: 'lr',
  weightDecay: 'weight decay',
  cSeg: 'c_seg',
  beta: 'β',
  labelledFraction: 'labelled',
};

/** "lr 0.01, c_seg 0.3". */
export const trialWords = (trial: Trial): string =>
  axes.flatMap((axis) => (trial[axis] === undefined ? [] : [`${names[axis]} ${trial[axis]}`])).join(', ');
