import { z } from 'zod';
import { invalid } from '@/lib/core/errors';
import {
  checkFloats,
  checkInput,
  checkWeights,
  fitsShape,
  formatShape,
  listNames,
  outputOf,
} from './check-contract';
import { Classes, PictureInput, TensorName } from './contract';
import { fedInputs, type OnnxModel, type OnnxValue } from './read-model';

/** Stored contract of an image encoder with word embeddings of the classes. */
const StoredOracle = z.object({
  input: PictureInput,
  outputs: z.object({ embedding: TensorName }),
  classes: Classes,
  /** Numbers of an embedding. */
  length: z.number().int().min(1),
  margin: z.number().min(0).max(2).default(0),
  /** sha256 of the embeddings: other words are another oracle. */
  words: z.string(),
});
type OracleContract = z.infer<typeof StoredOracle>;

export function readOracle(written: unknown): OracleContract {
  const parsed = StoredOracle.safeParse(written);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(
    `The oracle cannot be used: its contract is not complete (${issue?.path.join('.')}: ${issue?.message}).`,
  );
}

/** Checks that the file returns one embedding per picture, as long as the word embeddings. */
export function checkOracle(
  model: OnnxModel,
  { input, outputs, length }: Pick<OracleContract, 'input' | 'outputs' | 'length'>,
): void {
  checkWeights(model);
  checkInput(model, input);
  const { name, shape } = outputOf(model, outputs.embedding);
  if (shape && (shape.length !== 2 || !fitsShape(shape, [null, length])))
    throw invalid(
      `The output "${name}" is ${formatShape(shape)}, and the embeddings of the classes have ${length} numbers. Both halves must be of the same network.`,
    );
}

/** In units of the root mean square of the latent code; small enough to change little. */
export const DEFAULT_STEP = 0.1;

/** Stored contract of a decoder and its encoder. */
const StoredDecoder = z.object({
  /** Of the encoder. The decoder gives pictures of the same size and order. */
  input: PictureInput,
  /** Output of the encoder and of the decoder. */
  outputs: z.object({ latent: TensorName, picture: TensorName }),
  /** Input of the decoder. */
  latent: TensorName,
  range: z.tuple([z.number(), z.number()]).default([0, 1]),
  step: z.number().positive().max(10).default(DEFAULT_STEP),
  /** sha256 of the encoder. */
  encoder: z.string(),
});
export type DecoderContract = z.infer<typeof StoredDecoder>;

export function readDecoder(written: unknown): DecoderContract {
  const parsed = StoredDecoder.safeParse(written);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(
      `The decoder cannot be used: its contract is not complete (${issue?.path.join('.')}: ${issue?.message}).`,
    );
  }
  const [black, white] = parsed.data.range;
  if (!(black < white)) throw invalid('The range of a decoder goes from black to white: 0, 1 or −1, 1.');
  return parsed.data;
}

/** Returns the only input of a decoder, the latent code. */
export function latentInput(decoder: OnnxModel, written: string | undefined): OnnxValue {
  const fed = fedInputs(decoder);
  const taken = fed.find(({ name }) => name === (written ?? fed[0]?.name));
  if (!taken || fed.length > 1)
    throw invalid(
      `A decoder must have the latent code as its only input. This file has ${listNames(fed)}${written ? `, and the contract names "${written}"` : ''}.`,
    );
  checkFloats(taken);
  return taken;
}

/** Checks that encoder and decoder fit together. */
export function checkDecoder(
  decoder: OnnxModel,
  encoder: OnnxModel,
  { input, outputs, latent }: Pick<DecoderContract, 'input' | 'outputs' | 'latent'>,
): void {
  for (const model of [decoder, encoder]) checkWeights(model);
  checkInput(encoder, input);
  const found = outputOf(encoder, outputs.latent);
  const taken = latentInput(decoder, latent);
  if (
    found.shape &&
    taken.shape &&
    !fitsShape([null, ...found.shape.slice(1)], [null, ...taken.shape.slice(1)])
  )
    throw invalid(
      `The encoder gives ${formatShape(found.shape)}, and the decoder takes ${formatShape(taken.shape)}. Export both halves of one network.`,
    );
  const picture = outputOf(decoder, outputs.picture);
  const sides =
    input.layout === 'NCHW' ? [null, 3, input.height, input.width] : [null, input.height, input.width, 3];
  if (picture.shape && !fitsShape(picture.shape, sides))
    throw invalid(
      `The decoder gives ${formatShape(picture.shape)}, and the encoder takes ${formatShape(sides)} (${input.layout}). Both must be pictures of one size.`,
    );
}
