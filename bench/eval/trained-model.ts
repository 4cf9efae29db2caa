import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Arch } from '@/lib/core/training-spec';
import { capabilitiesHere } from '@/lib/services/training/launch/python';
import { specOf } from '../study/plan';
import { ensureSnapshot } from '../study/snapshots';
import { train } from '../study/train';

/** A model as the trainer makes it, hardly trained: how fast it answers does not depend on what it has learned. */
export async function withTrainedModel<T>(
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
