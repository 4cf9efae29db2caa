import { z } from 'zod';
import { defaultShares } from '@/lib/core/splits';
import { ImageFilter } from '@/lib/services/images/image-filter';

/** A part of a dataset: train, val, test, fold-1 … It becomes a folder's name in exports. */
export const SplitName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,29}$/, 'small letters, digits and hyphens')
  .refine((name) => !(name in {}), 'a word that programs use for something else');

const Shares = z
  .record(SplitName, z.number().min(0).max(1))
  .refine(
    (shares) => Object.values(shares).reduce((sum, share) => sum + share, 0) > 0,
    'the shares add up to nothing',
  )
  .refine((shares) => Object.keys(shares).length <= 20, 'at most 20 parts');
const Seed = z.string().min(1).max(80);

/** How images are dealt to the parts of a dataset. */
export const SplitSpec = z.discriminatedUnion('kind', [
  /** Each class in the same shares. */
  z.strictObject({
    kind: z.literal('stratified'),
    seed: Seed.default('0'),
    shares: Shares.default({ ...defaultShares }),
  }),
  /** Whole groups: `class`, `wnid`, `group`, or a column of the images. */
  z.strictObject({
    kind: z.literal('group'),
    by: z.string().min(1).max(80),
    seed: Seed.default('0'),
    shares: Shares.default({ ...defaultShares }),
  }),
  z.strictObject({
    kind: z.literal('folds'),
    folds: z.number().int().min(2).max(100),
    seed: Seed.default('0'),
  }),
  /** By a column of the images, as imports leave it. */
  z.strictObject({ kind: z.literal('column'), column: z.string().min(1).max(80) }),
  /** By a table of names and parts; the hash is that of the table. */
  z.strictObject({ kind: z.literal('file'), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  z.strictObject({ kind: z.literal('none') }),
]);

export type SplitSpec = z.infer<typeof SplitSpec>;

/** Which images: as everywhere, and of any of several classes; "-" stands for images without a class. */
export const FreezeFilter = ImageFilter.extend({
  classes: z.array(z.string().min(1).max(80)).min(1).max(2000).optional(),
});

export type FreezeFilter = z.output<typeof FreezeFilter>;

/** What a person asks to be frozen, and how. Only active images are frozen, whatever the filter says. */
export const FreezeRequest = z.strictObject({
  filter: FreezeFilter.default({}),
  split: SplitSpec.default({ kind: 'stratified', seed: '0', shares: { train: 0.8, val: 0.1, test: 0.1 } }),
  licence: z.string().trim().max(200).default(''),
  description: z.string().trim().max(4000).default(''),
  /** Freeze although images that belong together were put apart: only for splits that somebody gave. */
  allowLeaks: z.boolean().default(false),
});

export type FreezeRequest = z.infer<typeof FreezeRequest>;
