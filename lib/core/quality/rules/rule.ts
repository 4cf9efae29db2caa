import { z } from 'zod';
import type { SequentialTest } from '../evidence';
import type { WorkerHistory } from '../history';

/** What can be done about a worker, from the least to the most. */
export const ladder = ['hint', 'refresher', 'pause', 'end'] as const;
export type Verdict = (typeof ladder)[number];

export type Finding = {
  /** Strong evidence may skip to the pause; other evidence goes up one step at a time. */
  isStrong: boolean;
  /** Sentences for the worker. They never tell which items were checks. */
  reason: string;
  /** Ids of the checks or answers that speak against the worker. */
  evidence: string[];
  /** The part or attribute that it is about; left out for the whole stage. */
  target?: string;
  /** Whether a worker can go on without the target: true for a part that is drawn, false for a question of a form. */
  canPauseTarget?: boolean;
};

/**
 * How often a rule stops a good worker.
 * - `bounded`: a sequential test with a stated probability. Weak evidence leads to a refresher at most.
 * - `supported`: a signal without a known error rate. It pauses only with the support of checks (`next-step.ts`).
 * - `measured`: a signal of programs, whose error rate is measured (docs/quality.md).
 * - `unknown`: not controlled. Not among the default rules.
 */
export type ErrorControl = 'bounded' | 'supported' | 'measured' | 'unknown';

type About = {
  id: string;
  /** A changed meaning is a new version: decisions name the one that made them. */
  version: number;
  title: string;
  /** What it looks at, for the curator. */
  description: string;
  /** When to change or switch off the rule, for the curator. */
  advice: string;
  /** Where the method or its numbers come from. */
  source: string;
  /** The farthest it may go: what does not come from checks ends nobody. */
  atMost: Verdict;
  errorControl: ErrorControl;
  /** What the instance or the project must have; without it the rule finds nothing. */
  needs?: 'segmentation-model' | 'promoted-model';
};

/** A reason to suspect a worker. */
export type Rule = About & {
  /** Every setting with its default and what it means. */
  params: z.ZodObject;
  /** The most serious finding in the history since the worker's last fresh start. Settings have defaults. */
  judge(history: WorkerHistory, settings: Record<string, unknown>): Finding | null;
  /** All findings, the most serious first: one for the stage, or one for each target. */
  judgeEach(history: WorkerHistory, settings: Record<string, unknown>): Finding[];
  /** The tests of a rule with bounded errors, for the pages that show the evidence. */
  tests(history: WorkerHistory, settings: Record<string, unknown>): SequentialTest[];
};

/** Defines a rule by a judge that receives valid settings. */
export function defineRule<Params extends z.ZodObject>(
  about: About & { params: Params; judge(history: WorkerHistory, params: z.output<Params>): Finding | null },
): Rule {
  const judge: Rule['judge'] = (history, settings) => about.judge(history, about.params.parse(settings));
  return {
    ...about,
    judge,
    judgeEach: (history, settings) => {
      const finding = judge(history, settings);
      return finding ? [finding] : [];
    },
    tests: () => [],
  };
}

/** Defines a rule by sequential tests and what a test finds. */
export function defineTestRule<Params extends z.ZodObject, Test extends SequentialTest>(
  about: Omit<About, 'errorControl'> & {
    params: Params;
    tests(history: WorkerHistory, params: z.output<Params>): Test[];
    find(tests: readonly Test[], params: z.output<Params>): Finding[];
  },
): Rule {
  const parse = (settings: Record<string, unknown>) => about.params.parse(settings);
  const judgeEach: Rule['judgeEach'] = (history, settings) => {
    const params = parse(settings);
    return about.find(about.tests(history, params), params);
  };
  return {
    ...about,
    errorControl: 'bounded',
    judge: (history, settings) => judgeEach(history, settings)[0] ?? null,
    judgeEach,
    tests: (history, settings) => about.tests(history, parse(settings)),
  };
}

/** Settings that several rules have, each with its range. */
export const share = (usual: number) => z.number().gt(0).max(1).default(usual);
export const probability = (usual: number) => z.number().gt(0).lt(1).default(usual);
export const count = (usual: number, least = 2) => z.number().int().min(least).max(1000).default(usual);
/** How many of the latest answers a rule looks at; histories are read no farther back. */
export const recent = (usual: number) => z.number().int().min(10).max(100).default(usual);
/** Of rules with a sequential test. Divided by the number of stages, and by the number of tests of the rule. */
export const careerError = (usual: number) =>
  z
    .number()
    .gt(0)
    .max(0.5)
    .default(usual)
    .describe('probability to stop a good worker at any time, over all stages');
export const leaning = () =>
  share(0.5).describe(
    'share of the evidence that stops a worker (logarithmic) at which the first step is taken',
  );
