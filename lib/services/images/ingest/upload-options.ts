import { z } from 'zod';

export const UploadOptions = z.strictObject({
  /** One class for all files that no table names. */
  className: z.string().min(1).max(80).optional(),
  /** What becomes of a picture whose class is not found: it comes in without one, or it is refused. */
  unknownClass: z.enum(['accept', 'refuse']).default('accept'),
  /** The files are a dataset in this format, whose labels come in too. */
  format: z.string().min(1).max(80).optional(),
});

export type UploadOptions = z.infer<typeof UploadOptions>;
