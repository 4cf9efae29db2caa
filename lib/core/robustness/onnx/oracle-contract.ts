import { z } from 'zod';
import { invalid } from '@/lib/core/errors';
import { checkInput, checkWeights, fits, outputOf, size } from './check-contract';
import { Classes, PictureInput, TensorName } from './contract';
import type { OnnxModel } from './read-model';

/** An image encoder with an embedding of each class's name, as it is kept. */
const Contract = z.object({
  input: PictureInput,
  outputs: z.object({ embedding: TensorName }),
  classes: Classes,
  /** Numbers of an embedding. */
  length: z.number().int().min(1),
  margin: z.number().min(0).max(2).default(0),
  /** sha256 of the embeddings: other words are another oracle. */
  words: z.string(),
});
export type OracleContract = z.infer<typeof Contract>;

export function readOracle(written: unknown): OracleContract {
  const parsed = Contract.safeParse(written);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(
    `The oracle cannot be used: its contract is not complete (${issue?.path.join('.')}: ${issue?.message}).`,
  );
}

/** Pictures in, one embedding for each out, as long as those of the words. */
export function checkOracle(
  model: OnnxModel,
  { input, outputs, length }: Pick<OracleContract, 'input' | 'outputs' | 'length'>,
): void {
  checkWeights(model);
  checkInput(model, input);
  const { name, shape } = outputOf(model, outputs.embedding);
  if (shape && (shape.length !== 2 || !fits(shape, [null, length])))
    throw invalid(
      `The output "${name}" is ${size(shape)}, and the embeddings of the classes have ${length} numbers. Both halves must be of the same network.`,
    );
}
