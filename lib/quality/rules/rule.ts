import type { z } from 'zod';
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
};

type About = {
  id: string;
  /** A changed meaning is a new version: decisions name the one that made them. */
  version: number;
  title: string;
  /** What it looks at, for the curator. */
  says: string;
  /** Where the method or its numbers come from. */
  source: string;
  /** The farthest it may go: what does not come from checks ends nobody. */
  atMost: Verdict;
  /** What the instance or the project must have; without it the rule finds nothing. */
  needs?: 'segmentation-model' | 'promoted-model';
};

/** A reason to doubt a worker. */
export type Rule = About & {
  /** Every setting with its default and what it means. */
  params: z.ZodObject;
  /** Of the history since the worker's last fresh start. Settings that are left out have their defaults. */
  judge(history: WorkerHistory, settings: Record<string, unknown>): Finding | null;
};

/** A rule from a judge that is sure of its settings. */
export function defineRule<Params extends z.ZodObject>(
  about: About & { params: Params; judge(history: WorkerHistory, params: z.output<Params>): Finding | null },
): Rule {
  return { ...about, judge: (history, settings) => about.judge(history, about.params.parse(settings)) };
}
