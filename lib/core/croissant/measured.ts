import { z } from 'zod';

/** An estimate with its 95 % interval. */
interface Estimate {
  value: number;
  low: number;
  high: number;
}

/** How the labels were collected, as measured when the version was frozen. */
export interface CollectionStage {
  name: string;
  kind: string;
  items: number;
  answers: number;
  people: number;
  agreement: ({ measure: string; n: number } & Estimate) | { measure: string; value: null; reason: string };
}

const Day = z.string().regex(/^\d{4}-\d\d-\d\d$/);
const Count = z.number().int().min(0);

/** The work of the crowd of a project. It names nobody. */
export const CrowdFacts = z.object({
  people: Count,
  answers: Count,
  /** Days of the first and the last answer. */
  from: Day,
  to: Day,
  exams: z.object({ taken: Count, passed: Count }),
  checks: z.object({ scored: Count, passed: Count }),
  /** Median hourly pay of workers for active time, in millionths, with its 95 % interval if there are enough. */
  pay: z
    .object({
      currency: z.string(),
      medianHourlyMicro: z.number(),
      workers: Count,
      interval: z.tuple([z.number(), z.number()]).nullable(),
    })
    .nullable(),
  /** Smart tools in accepted answers, and how many answers used them. */
  assists: z.record(z.string(), Count),
});

export type CrowdFacts = z.infer<typeof CrowdFacts>;

/** The card of a version, as far as the description uses it. */
export interface MeasuredCard {
  counts: {
    images: number;
    labelled: number;
    objects: number;
    masks: number;
    bySplit: Record<string, number>;
    byClass: Record<string, Record<string, number>>;
    bySource: Record<string, number>;
  };
  collection: { project: string; description: string; stages: CollectionStage[] };
  crowd?: CrowdFacts | null;
  audits: {
    stage: string | null;
    judged: number;
    population: number;
    confidence: number;
    rate: Estimate | null;
    at: string;
  }[];
  split: { leaks: number };
  consent: number | null;
  schema: { name: string; number: number; citation: string | null };
}
