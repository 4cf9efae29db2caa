import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { Picture } from '@/lib/core/robustness/picture';
import { createRng } from '@/lib/core/robustness/random';
import type { Arch } from '@/lib/core/training-spec';
import { BATCH } from '@/lib/services/inference/runner/open-model';
import { startModel } from '@/lib/services/inference/runner/processes';
import { capabilitiesHere } from '@/lib/services/training/launch/python';
import { specOf } from './study/plan';
import { ensureSnapshot, train } from './study/train';

/** A model as the trainer makes it, hardly trained: how fast it answers does not depend on what it has learned. */
async function withTrainedModel<T>(
  arch: Arch,
  use: (model: { file: string; gradientFile: string; contract: unknown }) => Promise<T>,
): Promise<T> {
  const { python, missing } = await capabilitiesHere();
  if (!python) throw new Error(missing ?? 'PyTorch is missing.');
  const root = await mkdtemp(path.join(os.tmpdir(), 'tessera-bench-eval-'));
  try {
    const counts = { train: 4, val: 2, test: 2 };
    const snapshot = await ensureSnapshot(root, 'likely', counts);
    const plan = { counts, seeds: [0], epochs: { clean: 1, adversarial: 1 } };
    const spec = specOf({ setting: 'cue', arch, method: 'normal', partLabels: true }, 0, snapshot.hash, plan);
    const folder = path.join(root, 'run');
    await train(python, folder, spec, snapshot.folder, new AbortController().signal);
    const artifact = (name: string) => path.join(folder, 'artifacts', name);
    return await use({
      file: artifact('model.onnx'),
      gradientFile: artifact('model.grad.onnx'),
      contract: JSON.parse(await readFile(artifact('model.json'), 'utf8')),
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/**
 * Model runs a second of the evaluation's runner against a bare onnxruntime-node loop, in turns and in one run: the same
 * file, the same batch, one thread each. Then with two processes of the model, against two bare loops side by side.
 *
 *   npm run bench:eval [-- --rounds 9] [--batches 20] [--archs baseline,downsampled]
 */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    batches: { type: 'string', default: '20' },
    archs: { type: 'string', default: 'baseline,downsampled' },
  },
});
const [rounds, batches] = [Number(values.rounds), Number(values.batches)];

const median = (given: readonly number[]) =>
  given.toSorted((a, b) => a - b)[Math.floor(given.length / 2)] as number;

async function seconds(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return (performance.now() - began) / 1000;
}

function somePictures(width: number, height: number): Picture[] {
  const rng = createRng('bench');
  return Array.from({ length: BATCH }, () => ({
    width,
    height,
    data: Float32Array.from({ length: 3 * width * height }, () => rng.unit()),
  }));
}

/** A loop in a thread of its own that runs so many batches whenever it is told to. */
async function bareLoop(workerData: { file: string; input: string; output: string; dims: number[] }) {
  const worker = new Worker(path.join(import.meta.dirname, 'eval-bare-loop.mjs'), { workerData });
  const answered = () =>
    new Promise<void>((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
    });
  await answered();
  return {
    run(count: number) {
      worker.postMessage(count);
      return answered();
    },
    end: () => worker.terminate(),
  };
}

console.log(
  `${os.availableParallelism()} processors, batches of ${BATCH}, median of ${rounds} turns of ${batches} batches each.\n`,
);
console.log(
  '| model | processes | ours, pictures/s | bare loops, pictures/s | ratio | least | greatest | ours against one |',
);
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
for (const arch of values.archs.split(',') as Arch[])
  await withTrainedModel(arch, async ({ file, gradientFile, contract }) => {
    let alone = 0;
    for (const processes of [1, 2]) {
      await using model = await startModel({ file, gradientFile, contract }, { processes });
      const pictures = somePictures(model.width, model.height);
      const written = contract as { input: { name: string }; outputs: { logits: string } };
      const dims = [BATCH, 3, model.height, model.width];
      const loop = { file, input: written.input.name, output: written.outputs.logits, dims };
      const bare = await Promise.all(Array.from({ length: processes }, () => bareLoop(loop)));
      // As an evaluation asks: some questions ahead, so that pictures travel while others are looked at.
      const ours = async () => {
        let left = batches * processes;
        const ask = async () => {
          while (left-- > 0) await model.logits(pictures);
        };
        await Promise.all(Array.from({ length: 3 * processes }, ask));
      };
      const theirs = () => Promise.all(bare.map((each) => each.run(batches)));
      await ours();
      await theirs();
      const turns: { ours: number; theirs: number }[] = [];
      for (let turn = 0; turn < rounds; turn++)
        if (turn % 2) turns.push({ ours: await seconds(ours), theirs: await seconds(theirs) });
        else {
          const first = await seconds(theirs);
          turns.push({ theirs: first, ours: await seconds(ours) });
        }
      await Promise.all(bare.map((each) => each.end()));
      const runs = BATCH * batches * processes;
      const ratios = turns.map((each) => each.theirs / each.ours).sort((a, b) => a - b);
      const rate = runs / median(turns.map((each) => each.ours));
      if (processes === 1) alone = rate;
      const cells = [
        rate.toFixed(0),
        (runs / median(turns.map((each) => each.theirs))).toFixed(0),
        median(ratios).toFixed(2),
        ratios[0]?.toFixed(2),
        ratios.at(-1)?.toFixed(2),
        (rate / alone).toFixed(2),
      ];
      console.log(`| ${arch} | ${processes} | ${cells.join(' | ')} |`);
    }
  });
