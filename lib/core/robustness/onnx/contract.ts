import { z } from 'zod';
import { invalid } from '@/lib/core/errors';

const MAX_SIDE = 1024;
const MAX_CLASSES = 4096;

const triple = z.tuple([z.number(), z.number(), z.number()]);
const spread = z.tuple([z.number().positive(), z.number().positive(), z.number().positive()]);
export const TensorName = z.string().min(1).max(500);
const name = TensorName;

/** Image input of a file. */
export const PictureInput = z.object({
  name,
  layout: z.enum(['NCHW', 'NHWC']).default('NCHW'),
  /** Colour order. */
  channels: z.enum(['RGB', 'BGR']).default('RGB'),
  height: z.number().int().min(1).max(MAX_SIDE),
  width: z.number().int().min(1).max(MAX_SIDE),
  /** Of colours from 0 to 1, in the order red, green, blue. */
  mean: triple.default([0, 0, 0]),
  std: spread.default([1, 1, 1]),
  view: z.enum(['whole', 'center']).default('whole'),
});
export type PictureInput = z.infer<typeof PictureInput>;

/** Names of outputs, one for each. */
export const Classes = z.array(z.string().min(1)).min(2).max(MAX_CLASSES);

/** Contract of a classifier. The trainer writes one as `model.json`; users can write their own. */
const Contract = z.object({
  input: PictureInput,
  outputs: z.object({ logits: name }).loose(),
  outputKind: z.enum(['logits', 'probs']).optional(),
  /** Feature map tensor, if it is not detected. */
  featureTensor: name.nullish(),
  classes: Classes,
});

export type ModelContract = z.infer<typeof Contract>;

/** Parses and validates the contract of a model. */
export function readContract(written: unknown): ModelContract {
  const parsed = Contract.safeParse(written);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(
      `The model cannot be evaluated: its contract is not complete (${issue?.path.join('.')}: ${issue?.message}).`,
    );
  }
  requireUnique(parsed.data.classes);
  return parsed.data;
}

export function requireUnique(classes: readonly string[]): void {
  const twice = classes.find((each, i) => classes.indexOf(each) !== i);
  if (twice !== undefined)
    throw invalid(`The contract names the class "${twice}" twice. Every output needs its own class.`);
}

/** Minimum input size in pixels. */
export const MIN_SIDE = 8;

/**
 * Contract of an uploaded file as written by the user. Values that the file contains can be omitted; values that it does not
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
  /** Decoder: output values for black and white. */
  range: z.tuple([z.number(), z.number()]).optional(),
  /** Of a decoder: length of a step, in units of the spread of a picture's place. */
  step: z.number().positive().max(10).optional(),
});
export type WrittenContract = z.infer<typeof WrittenContract>;
