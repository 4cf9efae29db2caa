import { z } from 'zod';
import { DatasetSchemaShape } from '@/lib/core/schema/types';
import { SplitSpec } from '../freeze/split-spec';

export const manifestFormat = 'tessera-version/1';

/**
 * The first line of a manifest: what holds for all its images. Names and moments are left out on purpose, so that the
 * same content gives the same hash in another project and on another day.
 */
export const ManifestHeader = z.strictObject({
  format: z.literal(manifestFormat),
  schema: DatasetSchemaShape,
  /** By which labels were collected. */
  policy: z.record(z.string(), z.unknown()),
  split: SplitSpec,
  splits: z.array(z.string()).min(1),
  licence: z.string(),
  /** Number of the consent text that workers had agreed to; null where nobody worked. */
  consent: z.number().int().nullable(),
  images: z.number().int(),
});

export type ManifestHeader = z.infer<typeof ManifestHeader>;
