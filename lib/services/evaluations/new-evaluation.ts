import { z } from 'zod';
import { presets, suiteIds } from '@/lib/core/robustness/suites';

/** Generators that need no file. */
export const plainGenerators = ['search', 'squares'] as const;

export const isPlainGenerator = (generator: string): generator is (typeof plainGenerators)[number] =>
  (plainGenerators as readonly string[]).includes(generator);

/** What is asked of whom: the key of a leaderboard is all of it but the model. */
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
