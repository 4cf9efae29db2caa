import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { z } from 'zod';

const written = z.object({
  outputs: z.array(z.string()),
  tensors: z.record(z.string(), z.object({ file: z.string(), shape: z.array(z.int()) })),
});

/** Greatest difference between PyTorch and the runtime that serves the model, in units of the greatest value. */
export type ExportCheck = Record<string, number>;

/** Float32 on two engines: more than this is not rounding. */
export const EXPORT_TOLERANCE = 1e-3;

/** Runs the exported files on the input the trainer kept, and holds every output against what PyTorch gave. */
export async function checkExport(artifacts: string): Promise<ExportCheck> {
  const folder = path.join(artifacts, 'check');
  const { outputs, tensors } = written.parse(
    JSON.parse(await readFile(path.join(folder, 'check.json'), 'utf8')),
  );
  const read = async (name: string) => {
    const entry = tensors[name];
    if (!entry) throw new Error(`The check has no tensor ${name}.`);
    const raw = await readFile(path.join(folder, entry.file));
    return new Tensor('float32', new Float32Array(new Uint8Array(raw).buffer), entry.shape);
  };
  const image = await read('image');
  const check: ExportCheck = {};
  const compare = async (file: string, feeds: Record<string, Tensor>, names: string[]) => {
    const session = await InferenceSession.create(path.join(artifacts, file), { logSeverityLevel: 3 });
    try {
      const found = await session.run(feeds);
      for (const name of names) {
        const apart = difference((await read(name)).data, found[name]?.data);
        check[name] = Math.max(check[name] ?? 0, apart);
      }
    } finally {
      await session.release();
    }
  };
  await compare('model.onnx', { image }, outputs);
  const share = new Tensor('float32', Float32Array.of(1), [1]);
  await compare('model.grad.onnx', { image, seed: await read('seed'), share }, [
    'logits',
    'gradient',
    'feature_gradient',
  ]);
  return check;
}

function difference(wanted: Tensor['data'], found: Tensor['data'] | undefined): number {
  const a = wanted as Float32Array;
  const b = found as Float32Array | undefined;
  if (!b || a.length !== b.length) return Number.POSITIVE_INFINITY;
  let apart = 0;
  let largest = 1e-12;
  for (let i = 0; i < a.length; i++) {
    apart = Math.max(apart, Math.abs((a[i] ?? 0) - (b[i] ?? Number.NaN)));
    largest = Math.max(largest, Math.abs(a[i] ?? 0));
  }
  return Number.isNaN(apart) ? Number.POSITIVE_INFINITY : apart / largest;
}
