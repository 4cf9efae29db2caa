import { z } from 'zod';
import { Classes, PictureInput, TensorName } from './contract';

/** The least side that can be looked at, and the fewest pixels that the platform shows a model. */
export const LEAST_SIDE = 8;

/**
 * What somebody says about a file from elsewhere. Whatever the file tells by itself may be left out; what it does not
 * tell (classes, how colours are normalised) cannot be guessed. A `model.json` of a trainer is one, too: what only the
 * trainer knows is passed over.
 */
export const WrittenContract = z.object({
  input: PictureInput.partial().default({}),
  /** `logits` of a classifier, `embedding` of an oracle, `picture` of a decoder, `latent` of its encoder. */
  outputs: z
    .object({
      logits: TensorName,
      masks: TensorName,
      features: TensorName,
      embedding: TensorName,
      picture: TensorName,
      latent: TensorName,
    })
    .partial()
    .default({}),
  outputKind: z.enum(['logits', 'probs']).optional(),
  featureTensor: TensorName.nullish(),
  /** In the order of the outputs; of an oracle in that of its words. A decoder has none. */
  classes: Classes.optional(),
  /** Of a part model: its parts, and what the channels of its masks are. */
  parts: z.array(z.object({ id: z.string(), name: z.string(), class: z.number().int() })).optional(),
  maskValues: z.array(z.string()).max(256).optional(),
  /** Of an oracle: how much nearer the nearest words must be than the next, by cosine; else it cannot tell. */
  margin: z.number().min(0).max(2).optional(),
  /** Of a decoder: its input. */
  latent: TensorName.optional(),
  /** Of a decoder: what its smallest and largest values stand for black and white. */
  range: z.tuple([z.number(), z.number()]).optional(),
  /** Of a decoder: length of a step, in units of the spread of a picture's place. */
  step: z.number().positive().max(10).optional(),
});
export type WrittenContract = z.infer<typeof WrittenContract>;
