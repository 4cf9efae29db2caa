import { readFile, stat } from 'node:fs/promises';
import type { ModelRunner } from '@/lib/core/robustness/model-runner';
import { withOutputs } from '@/lib/core/robustness/onnx/append-outputs';
import { checkContract, fixedBatch } from '@/lib/core/robustness/onnx/check-contract';
import { readContract } from '@/lib/core/robustness/onnx/contract';
import { findFeatures } from '@/lib/core/robustness/onnx/find-features';
import { asLogits } from '@/lib/core/robustness/onnx/output-kind';
import { readModel, refuseLarge } from '@/lib/core/robustness/onnx/read-model';
import { GradientSession } from './gradient-session';
import { openSession } from './open-session';
import { PictureSession } from './picture-session';
import { TailSession } from './tail-session';
import { tryModel } from './try-model';

/** Where a model lies, and what is known of it. */
export interface ModelSource {
  /** Of the ONNX file. */
  file: string;
  /** Of the graph with its gradient. */
  gradientFile?: string | null;
  /** As it was written; read and checked here. */
  contract: unknown;
  /** Pictures at once, at most. */
  batch?: number;
}

export const BATCH = 32;

/**
 * Opens a model in this process. Files that somebody uploaded go through `startModel`, which does the same in a process
 * of their own. One session gives logits and maps, so that logits are the same numbers whatever else is asked.
 */
export async function openModel(source: ModelSource): Promise<ModelRunner> {
  const contract = readContract(source.contract);
  const model = readModel(await bounded(source.file));
  checkContract(model, contract);
  const output = contract.outputs.logits;
  const found = findFeatures(model, output);
  const tensor = found?.tensor ?? contract.featureTensor ?? null;
  const fixed = fixedBatch(model, contract);
  const batch = fixed ?? source.batch ?? BATCH;
  const session = await openSession(withOutputs(model, tensor ? [tensor] : []));
  const numbers = { input: contract.input, output, length: contract.classes.length };
  const pictures = new PictureSession(session, numbers, batch, fixed !== null);
  const opened: { release(): Promise<void> }[] = [pictures];
  const dispose = async () => {
    for (const each of opened) await each.release();
  };
  try {
    const { kind, map } = await tryModel(pictures, contract, tensor);
    const { classes, input } = contract;
    const tail =
      tensor && map
        ? TailSession.cut(model, {
            ...{ from: tensor, map, classes: classes.length, batch, isFixed: fixed !== null },
            // Behind a softmax lie the logits themselves.
            ...(found ? { to: found.logits, kind: 'logits' } : { to: output, kind }),
          })
        : null;
    if (tail) opened.push(tail);
    const gradient = source.gradientFile
      ? await GradientSession.open(await bounded(source.gradientFile), contract)
      : null;
    if (gradient) opened.push(gradient);
    const isLinear = found?.head.channels === map?.channels && found?.head.classes === classes.length;
    return {
      classes,
      width: input.width,
      height: input.height,
      kind,
      logits: async (asked) => (await pictures.run(asked, null)).map(({ logits }) => asLogits(logits, kind)),
      features: map
        ? async (asked) =>
            (await pictures.run(asked, tensor)).map((each) => ({
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

export async function bounded(file: string): Promise<Uint8Array> {
  refuseLarge((await stat(file)).size);
  return readFile(file);
}
