import { z } from 'zod';
import { formatDuration, formatNumber } from '@/lib/core/format';
import { presets, suiteIds } from '@/lib/core/robustness/suites';
import { type Reason, reasons } from '@/lib/core/robustness/types';

/** Generators that need no file. */
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
  /** Images are taken from this split; `all` takes those of every split. */
  split: z.string().trim().min(1).max(40).default('test'),
  /** Most images: the same share of each class, chosen by the seed. */
  images: z.number().int().min(1).max(100_000).default(500),
  /** Other models of the project whose majority says what is still to be seen in a perturbed picture. */
  oracle: z.array(z.uuid()).max(3).default([]),
  /** What drives pictures away from the model (FMR): small changes, squares, or a decoder of the project by its id. */
  generator: z.union([z.enum(plainGenerators), z.uuid()]).default('search'),
  /** Instead of models: the stage in which people are asked what they see. */
  crowd: z.uuid().nullable().default(null),
});
export type NewEvaluation = z.infer<typeof NewEvaluation>;

/** As it is kept with the evaluation. */
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

/** Ids of the models beside the one that is evaluated. */
export const companionIds = ({
  oracle,
  generator,
}: Pick<EvaluationOptions, 'oracle' | 'generator'>): string[] =>
  isPlainGenerator(generator) ? oracle : [...oracle, generator];

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

/** Where the speed comes from, in words. */
export function speedText(speed: EvaluationPlan['speed']): string {
  if (!speed) return 'No speed of this model is known yet.';
  const rate = `${formatNumber(speed.runsPerSecond)} runs a second`;
  return speed.from === 'evaluations'
    ? `As fast as ${speed.n === 1 ? 'the earlier evaluation' : `${speed.n} earlier evaluations`} of this model: ${rate}.`
    : `Measured just now on ${speed.n} pictures: at most ${rate}; changing pictures was measured beside it.`;
}

export const timeText = (seconds: number | null): string =>
  seconds === null ? 'unknown' : seconds < 1 ? 'no time' : `about ${formatDuration(seconds)}`;

/** What people would be asked, in a sentence. */
export const crowdText = ({
  stage,
  images,
  questions,
  people,
  cost,
}: NonNullable<EvaluationPlan['crowd']>): string =>
  `In "${stage}" people are asked at most ${formatNumber(questions)} questions about ${formatNumber(images)} images, ${formatNumber(people)} of them each: at most ${cost}.`;

/** A plan for a terminal. */
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
