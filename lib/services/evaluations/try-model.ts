import { invalid } from '@/lib/core/errors';
import type { ModelContract } from '@/lib/core/robustness/onnx/contract';
import { type OutputKind, outputKind } from '@/lib/core/robustness/onnx/output-kind';
import { likePicture, mapPicture, type Picture } from '@/lib/core/robustness/picture';
import { stream } from '@/lib/core/robustness/random/stream';
import { firstLine } from '@/lib/services/inference/process/first-line';
import type { PictureOutputs, PictureSession } from './picture-session';

/** What running a model once told about it. */
export interface Tried {
  kind: OutputKind;
  map: { channels: number; height: number; width: number } | null;
}

/** Runs a model on a few pictures made for it, so that what does not work is known before anybody waits for it. */
export async function tryModel(
  session: PictureSession,
  { input, outputKind: said }: ModelContract,
  map: string | null,
): Promise<Tried> {
  const answers = await session.run(trials(input), map).catch((error: unknown): PictureOutputs[] => {
    throw invalid(`The model does not run on a picture: ${firstLine(error)}`);
  });
  const rows = answers.map(({ logits }) => logits);
  refuseNoNumbers(rows);
  const kind = outputKind(rows);
  if (said === 'probs' && kind === 'logits')
    throw invalid(
      'The contract says probabilities, but they do not add up to 1. Say logits if that is what the file gives.',
    );
  const [channels = 0, height = 0, width = 0] = answers[0]?.map?.dims ?? [];
  return { kind, map: answers[0]?.map ? { channels, height, width } : null };
}

export function refuseNoNumbers(rows: readonly Float32Array[]): void {
  if (!rows.every((row) => row.every(Number.isFinite)))
    throw invalid(
      'The model gives numbers that are none (NaN or infinite) for plain pictures. Check its mean and std, or train it anew.',
    );
}

/** Grey, a slope and noise. */
export function trials({ width, height }: { width: number; height: number }): Picture[] {
  const empty = likePicture({ width, height, data: new Float32Array() });
  const chance = stream('tessera|trial pictures');
  return [
    mapPicture(empty, () => 0.5),
    mapPicture(empty, (_, pixel) => (pixel % width) / width),
    mapPicture(empty, () => chance.unit()),
  ];
}
