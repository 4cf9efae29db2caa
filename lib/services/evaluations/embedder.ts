import { invalid } from '@/lib/core/errors';
import { fixedBatch } from '@/lib/core/robustness/onnx/check-contract';
import { checkOracle, readOracle } from '@/lib/core/robustness/onnx/oracle-contract';
import { readModel } from '@/lib/core/robustness/onnx/read-model';
import type { Picture } from '@/lib/core/robustness/picture';
import { openSession } from './open-session';
import { PictureSession } from './picture-session';
import { BATCH, bounded } from './session';
import { refuseNoNumbers, trials } from './try-model';

/** What an image encoder can be asked. */
export interface Embedder {
  width: number;
  height: number;
  embed(pictures: readonly Picture[]): Promise<Float32Array[]>;
}

/** Opens an image encoder in this process, and tries it. */
export async function openEmbedder({ file, contract: written }: { file: string; contract: unknown }) {
  const contract = readOracle(written);
  const model = readModel(await bounded(file));
  checkOracle(model, contract);
  const { input, outputs, length } = contract;
  const fixed = fixedBatch(model, contract);
  const session = new PictureSession(
    await openSession(model.bytes),
    { input, output: outputs.embedding, length },
    fixed ?? BATCH,
    fixed !== null,
  );
  const embed = async (pictures: readonly Picture[]) =>
    (await session.run(pictures, null)).map(({ logits }) => logits);
  const tried = await embed(trials(input));
  refuseNoNumbers(tried);
  if (tried.some((row) => row.every((value) => value === 0)))
    throw invalid('The encoder gives nothing but zeros for a plain picture: its nearest words mean nothing.');
  return { width: input.width, height: input.height, embed } satisfies Embedder;
}
