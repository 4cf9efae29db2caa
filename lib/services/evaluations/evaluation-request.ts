import { z } from 'zod';
import { formatDuration, formatNumber } from '@/lib/core/format';
import { presets, suiteIds } from '@/lib/core/robustness/suites';
import { type Reason, reasons } from '@/lib/core/robustness/types';

/** Built-in generators. */
const plainGenerators = ['search', 'squares'] as const;

export const isPlainGenerator = (generator: string): generator is (typeof plainGenerators)[number] =>
  (plainGenerators as readonly string[]).includes(generator);

/** Settings: the key of a leaderboard is all of it but the model. */
export const NewEvaluation = z.strictObject({
  model: z.uuid(),
  version: z.string().min(1).max(80),
  suite: z.enum(suiteIds).default('all'),
  preset: z.enum(presets).default('quick'),
  seed: z.number().int().min(0).max(2_147_483_647).default(0),
  /** Split of the images; `all` selects every split. */
  split: z.string().trim().min(1).max(40).default('test'),
  /** Maximum number of images, stratified by class and chosen by the seed. */
  images: z.number().int().min(1).max(100_000).default(500),
  /** Oracle: other models of the project whose majority validates perturbed pictures. */
  oracle: z.array(z.uuid()).max(3).default([]),
  /** Generator of FMR: small changes, squares, or a decoder of the project by id. */
  generator: z.union([z.enum(plainGenerators), z.uuid()]).default('search'),
  /** Crowd oracle: stage in which workers validate pictures, instead of oracle models. */
  crowd: z.uuid().nullable().default(null),
});
export type NewEvaluation = z.infer<typeof NewEvaluation>;

/** Options stored with the evaluation. */
export const EvaluationOptions = NewEvaluation.pick({
  preset: true,
  seed: true,
  split: true,
  images: true,
  oracle: true,
  generator: true,
  crowd: true,
});
export type EvaluationOptions = z.infer<typeof EvaluationOptions>;

/** Ids of oracle and decoder models. */
export const companionIds = ({
  oracle,
  generator,
}: Pick<EvaluationOptions, 'oracle' | 'generator'>): string[] =>
  isPlainGenerator(generator) ? oracle : [...oracle, generator];

const count = z.number().int();

/** Cost and limitations of an evaluation before it runs. */
export const EvaluationPlan = z.object({
  /** Evaluated images, and images of the split with classes that the model does not have. */
  images: count,
  unknown: count,
  split: z.string(),
  suites: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      images: count,
      /** Model runs without stored rows. */
      runs: count,
      /** Runs whose results are stored. */
      known: count,
      /** Null if no speed is known. */
      seconds: z.number().nullable(),
    }),
  ),
  runs: count,
  known: count,
  /** `known` is an upper bound: labels were not compared. */
  isKnownAtMost: z.boolean(),
  seconds: z.number().nullable(),
  /** Source of the speed estimate: earlier evaluations or a calibration. */
  speed: z
    .object({ from: z.enum(['evaluations', 'calibration']), runsPerSecond: z.number(), n: count })
    .nullable(),
  /** Capabilities beyond logits; null if unknown before the model is opened. */
  offers: z.array(
    z.object({
      offer: z.enum(['gradient', 'feature map', 'oracle']),
      isThere: z.boolean().nullable(),
      says: z.string(),
    }),
  ),
  /** Maximum cost of a crowd oracle. */
  crowd: z
    .object({ stage: z.string(), images: count, questions: count, people: count, cost: z.string() })
    .nullable(),
  /** Suites that cannot run, with the reason. */
  left: z.array(z.object({ suite: z.string(), why: z.string() })),
  /** Images that suites skip. */
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

/** Describes the source of the speed estimate. */
export function speedText(speed: EvaluationPlan['speed']): string {
  if (!speed) return 'The speed of this model is not known yet.';
  const rate = `${formatNumber(speed.runsPerSecond)} runs a second`;
  return speed.from === 'evaluations'
    ? `Based on ${speed.n === 1 ? 'an earlier evaluation' : `${speed.n} earlier evaluations`} of this model: ${rate}.`
    : `Measured on ${speed.n} pictures: at most ${rate}, plus the time to generate variants.`;
}

export const timeText = (seconds: number | null): string =>
  seconds === null ? 'unknown' : seconds < 1 ? 'no time' : `about ${formatDuration(seconds)}`;

/** Describes the crowd questions. */
export const crowdText = ({
  stage,
  images,
  questions,
  people,
  cost,
}: NonNullable<EvaluationPlan['crowd']>): string =>
  `Stage "${stage}": at most ${formatNumber(questions)} questions about ${formatNumber(images)} images, ${formatNumber(people)} workers each, at most ${cost}.`;

/** Formats a plan for the terminal. */
export function planText(plan: EvaluationPlan): string {
  const lines = plan.suites.map(
    ({ name, images, runs, known, seconds }) =>
      `${name.padEnd(30)} ${formatNumber(images).padStart(7)} images ${formatNumber(runs).padStart(12)} runs ${formatNumber(known).padStart(12)} known  ${timeText(seconds)}`,
  );
  return [
    `${formatNumber(plan.images)} images of ${plan.split === 'all' ? 'all splits' : `split ${plan.split}`}${plan.unknown > 0 ? `; ${formatNumber(plan.unknown)} of classes the model does not know are left out` : ''}`,
    ...lines,
    `In all ${formatNumber(plan.runs)} runs, ${plan.isKnownAtMost ? 'at most ' : ''}${formatNumber(plan.known)} of them known: ${timeText(plan.seconds)}. ${speedText(plan.speed)}`,
    ...plan.offers.filter(({ isThere }) => isThere !== true).map(({ says }) => says),
    ...(plan.crowd ? [crowdText(plan.crowd)] : []),
    ...plan.left.map(({ suite, why }) => `${suite}: left out. ${why}`),
    ...plan.skipped.map(
      ({ images, says, suites }) =>
        `${formatNumber(images)} images are skipped in ${suites.join(', ')}: ${says}`,
    ),
  ].join('\n');
}
