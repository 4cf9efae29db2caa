import { z } from 'zod';
import { DEFAULT_MIN_PER_CLASS, defaultShares } from '@/lib/core/splits';
import { ImageFilter } from '@/lib/services/images/image-filter';

/** Name of a split: train, val, test, fold-1 … Exports use it as a folder name. */
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

/** How images are assigned to splits. */
export const SplitSpec = z.discriminatedUnion('kind', [
  /** Stratified: the same shares for each class. */
  z.strictObject({
    kind: z.literal('stratified'),
    seed: Seed.default('0'),
    shares: Shares.default({ ...defaultShares }),
    /** Images of each class that every split receives; fewer for small classes. Versions from before it had none. */
    minPerClass: z.number().int().min(0).max(1000).default(DEFAULT_MIN_PER_CLASS),
  }),
  /** By group: `class`, `wnid`, `group`, or an image column. */
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
  /** From an image column, as set by an import. */
  z.strictObject({ kind: z.literal('column'), column: z.string().min(1).max(80) }),
  /** From a table of names and splits, identified by its hash. */
  z.strictObject({ kind: z.literal('file'), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  z.strictObject({ kind: z.literal('none') }),
]);

export type SplitSpec = z.infer<typeof SplitSpec>;

/** The image filter, extended by a list of classes. "-" selects images without a class. */
export const FreezeFilter = ImageFilter.extend({
  classes: z.array(z.string().min(1).max(80)).min(1).max(2000).optional(),
});

export type FreezeFilter = z.output<typeof FreezeFilter>;

/** A request to freeze a version. Only active images are included, whatever the filter selects. */
export const FreezeRequest = z.strictObject({
  filter: FreezeFilter.default({}),
  split: SplitSpec.default({
    kind: 'stratified',
    seed: '0',
    shares: { ...defaultShares },
    minPerClass: DEFAULT_MIN_PER_CLASS,
  }),
  licence: z.string().trim().max(200).default(''),
  description: z.string().trim().max(4000).default(''),
  /** Freeze despite leaks between splits. Only allowed for given splits. */
  allowLeaks: z.boolean().default(false),
});

export type FreezeRequest = z.infer<typeof FreezeRequest>;
