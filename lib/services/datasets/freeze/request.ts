import { z } from 'zod';
import { ImageFilter } from '@/lib/services/images/image-filter';
import { SplitSpec } from './split-spec';

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
