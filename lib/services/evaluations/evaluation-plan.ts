import { z } from 'zod';
import { type Reason, reasons } from '@/lib/core/robustness/types';

const count = z.number().int();

/** What an evaluation will cost and what it cannot do: said before anything runs. */
export const EvaluationPlan = z.object({
  /** Images that are asked about, and how many of the split are of classes the model does not know. */
  images: count,
  unknown: count,
  split: z.string(),
  suites: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      images: count,
      /** Of the model, if nothing were known. */
      runs: count,
      /** Of these, how many answers are there already and cost nothing. */
      known: count,
      /** Null where no speed is known. */
      seconds: z.number().nullable(),
    }),
  ),
  runs: count,
  known: count,
  /** The known ones were counted without looking at every label: some may have to be asked again. */
  isKnownAtMost: z.boolean(),
  seconds: z.number().nullable(),
  /** Where the speed comes from: earlier evaluations of the model, or a short measurement. */
  speed: z
    .object({ from: z.enum(['evaluations', 'calibration']), runsPerSecond: z.number(), n: count })
    .nullable(),
  /** What suites can use beside logits: null where only opening the model tells whether it is there. */
  offers: z.array(
    z.object({
      offer: z.enum(['gradient', 'feature map', 'oracle']),
      isThere: z.boolean().nullable(),
      says: z.string(),
    }),
  ),
  /** Where people are the oracle: what asking them costs at most. */
  crowd: z
    .object({ stage: z.string(), images: count, questions: count, people: count, cost: z.string() })
    .nullable(),
  /** Suites that cannot be run, and what to do. */
  left: z.array(z.object({ suite: z.string(), why: z.string() })),
  /** Images that these suites leave out. */
  skipped: z.array(
    z.object({
      reason: z.enum(Object.keys(reasons) as [Reason, ...Reason[]]),
      says: z.string(),
      images: count,
      suites: z.array(z.string()),
    }),
  ),
});
export type EvaluationPlan = z.infer<typeof EvaluationPlan>;
