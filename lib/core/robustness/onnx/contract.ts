import { z } from 'zod';
import { invalid } from '@/lib/core/errors';

const MOST_SIDE = 1024;
const MOST_CLASSES = 4096;

const triple = z.tuple([z.number(), z.number(), z.number()]);
const spread = z.tuple([z.number().positive(), z.number().positive(), z.number().positive()]);
export const TensorName = z.string().min(1).max(500);
const name = TensorName;

/** How a file takes pictures. */
export const PictureInput = z.object({
  name,
  layout: z.enum(['NCHW', 'NHWC']).default('NCHW'),
  /** Order of the colours. */
  channels: z.enum(['RGB', 'BGR']).default('RGB'),
  height: z.number().int().min(1).max(MOST_SIDE),
  width: z.number().int().min(1).max(MOST_SIDE),
  /** Of colours from 0 to 1, in the order red, green, blue. */
  mean: triple.default([0, 0, 0]),
  std: spread.default([1, 1, 1]),
  view: z.enum(['whole', 'center']).default('whole'),
});
export type PictureInput = z.infer<typeof PictureInput>;

/** Names of outputs, one for each. */
export const Classes = z.array(z.string().min(1)).min(2).max(MOST_CLASSES);

/** What has to be known of an ONNX file to evaluate it. The trainer's `model.json` is one; people may write their own. */
const Contract = z.object({
  input: PictureInput,
  outputs: z.object({ logits: name }).loose(),
  outputKind: z.enum(['logits', 'probs']).optional(),
  /** The map of features, where it is not found by itself. */
  featureTensor: name.nullish(),
  classes: Classes,
});

export type ModelContract = z.infer<typeof Contract>;

/** Reads what somebody wrote about a model, or says what is wrong with it. */
export function readContract(written: unknown): ModelContract {
  const parsed = Contract.safeParse(written);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(
      `The model cannot be evaluated: its contract is not complete (${issue?.path.join('.')}: ${issue?.message}).`,
    );
  }
  refuseTwice(parsed.data.classes);
  return parsed.data;
}

export function refuseTwice(classes: readonly string[]): void {
  const twice = classes.find((each, i) => classes.indexOf(each) !== i);
  if (twice !== undefined)
    throw invalid(`The contract names the class "${twice}" twice. Every output needs its own class.`);
}
