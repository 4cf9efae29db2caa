import { readFile, stat } from 'node:fs/promises';
import { invalid } from '@/lib/core/errors';
import { asLogits, type OutputKind, outputKind } from '@/lib/core/robustness/logits';
import { checkContract, fixedBatch } from '@/lib/core/robustness/onnx/check-contract';
import { type ModelContract, readContract } from '@/lib/core/robustness/onnx/contract';
import { addOutputs } from '@/lib/core/robustness/onnx/edit-model';
import { findFeatures } from '@/lib/core/robustness/onnx/find-features';
import { readModel, requireModelSize } from '@/lib/core/robustness/onnx/read-model';
import { emptyPicture, mapPicture, type Picture } from '@/lib/core/robustness/picture';
import { createRng } from '@/lib/core/robustness/random';
import type { ModelRunner } from '@/lib/core/robustness/types';
import { firstLineOf } from '../serve-child';
import { GradientSession, TailSession } from './auxiliary-sessions';
import { openSession, type PictureOutputs, PictureSession } from './picture-session';

/** Files and contract of a model. */
export interface ModelSource {
  /** Of the ONNX file. */
  file: string;
  /** Of the graph with its gradient. */
  gradientFile?: string | null;
  /** Unvalidated contract. */
  contract: unknown;
  /** Maximum batch size. */
  batch?: number;
}

export const BATCH = 32;

/**
 * Opens a model in this process. Uploaded files go through `startModel`, which does this in a sandboxed child process. One
 * session returns logits and maps, so that logits are bit-identical in all calls.
 */
export async function openModel(source: ModelSource): Promise<ModelRunner> {
  const contract = readContract(source.contract);
  const model = readModel(await readModelFile(source.file));
  checkContract(model, contract);
  const output = contract.outputs.logits;
  const found = findFeatures(model, output);
  const tensor = found?.tensor ?? contract.featureTensor ?? null;
  const fixed = fixedBatch(model, contract);
  const batch = fixed ?? source.batch ?? BATCH;
  const session = await openSession(addOutputs(model, tensor ? [tensor] : []));
  const numbers = { input: contract.input, output, length: contract.classes.length };
  const pictures = new PictureSession(session, numbers, batch, fixed !== null);
  const opened: { release(): Promise<void> }[] = [pictures];
  const dispose = async () => {
    for (const each of opened) await each.release();
  };
  try {
    const { kind, map } = await probeModel(pictures, contract, tensor);
    const { classes, input } = contract;
    const tail =
      tensor && map
        ? TailSession.cut(model, {
            ...{ from: tensor, map, classes: classes.length, batch, isFixed: fixed !== null },
            // Uses the logits before a softmax.
            ...(found ? { to: found.logits, kind: 'logits' } : { to: output, kind }),
          })
        : null;
    if (tail) opened.push(tail);
    const gradient = source.gradientFile
      ? await GradientSession.open(await readModelFile(source.gradientFile), contract)
      : null;
    if (gradient) opened.push(gradient);
    const isLinear = found?.head.channels === map?.channels && found?.head.classes === classes.length;
    return {
      classes,
      width: input.width,
      height: input.height,
      kind,
      logits: async (inputs) =>
        (await pictures.run(inputs, null)).map(({ logits }) => asLogits(logits, kind)),
      features: map
        ? async (inputs) =>
            (await pictures.run(inputs, tensor)).map((each) => ({
              logits: asLogits(each.logits, kind),
              features: { ...map, data: each.map?.data ?? new Float32Array() },
            }))
        : null,
      map,
      head: found && isLinear ? found.head : null,
      tail: tail && ((maps) => tail.run(maps)),
      gradient: gradient && ((picture, seed, share) => gradient.run(picture, seed, share)),
      hasMapGradient: gradient?.hasMap ?? false,
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

export async function readModelFile(file: string): Promise<Uint8Array> {
  requireModelSize((await stat(file)).size);
  return readFile(file);
}

/** Properties found by running the model. */
interface ProbeResult {
  kind: OutputKind;
  map: { channels: number; height: number; width: number } | null;
}

/** Runs a model on test pictures, so that errors show before a long evaluation. */
async function probeModel(
  session: PictureSession,
  { input, outputKind: said }: ModelContract,
  map: string | null,
): Promise<ProbeResult> {
  const answers = await session.run(trialPictures(input), map).catch((error: unknown): PictureOutputs[] => {
    throw invalid(`The model failed on a test picture: ${firstLineOf(error)}`);
  });
  const rows = answers.map(({ logits }) => logits);
  requireFiniteNumbers(rows);
  const kind = outputKind(rows);
  if (said === 'probs' && kind === 'logits')
    throw invalid(
      'The contract states probabilities, but the outputs do not sum to 1. Set outputKind to logits if the file returns logits.',
    );
  const [channels = 0, height = 0, width = 0] = answers[0]?.map?.dims ?? [];
  return { kind, map: answers[0]?.map ? { channels, height, width } : null };
}

export function requireFiniteNumbers(rows: readonly Float32Array[]): void {
  if (!rows.every((row) => row.every(Number.isFinite)))
    throw invalid(
      'The model returns NaN or infinite values for test pictures. Check mean and std, or train the model again.',
    );
}

/** Test pictures: gray, gradient and noise. */
export function trialPictures({ width, height }: { width: number; height: number }): Picture[] {
  const empty = emptyPicture({ width, height, data: new Float32Array() });
  const rng = createRng('tessera|trial pictures');
  return [
    mapPicture(empty, () => 0.5),
    mapPicture(empty, (_, pixel) => (pixel % width) / width),
    mapPicture(empty, () => rng.unit()),
  ];
}
