import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { z } from 'zod';
import { invalid } from '@/lib/core/errors';
import { checkWeights } from '@/lib/core/robustness/onnx/check-contract';
import { hasExternalData } from '@/lib/core/robustness/onnx/find-external';
import type { ExportCheck } from './check-export';

/** Far more than a tensor of a few pictures takes, and than a network that one machine serves. */
const MAX_BYTES = { tensor: 512 * 2 ** 20, model: 2e9, description: 2 ** 20 };

const written = z.object({
  // Without them nothing is known of the model.
  outputs: z
    .array(z.string().max(80))
    .max(16)
    .refine((names) => names.includes('logits'), 'logits are missing'),
  tensors: z.record(
    z.string().max(80),
    z.object({
      // A file next to check.json, from an untrusted author.
      file: z.string().regex(/^\w[\w.-]{0,99}\.f32$/),
      shape: z.array(z.int().min(0)).max(8),
    }),
  ),
});

/** Runs the exported files on the input the trainer kept, and holds every output against what PyTorch gave. */
export async function compareExport(artifacts: string): Promise<ExportCheck> {
  const folder = path.join(artifacts, 'check');
  const described = written.safeParse(
    JSON.parse((await readBounded(path.join(folder, 'check.json'), 'description')).toString('utf8')),
  );
  if (!described.success)
    throw invalid(`check/check.json is not valid: ${described.error.issues[0]?.message}.`);
  const { outputs, tensors } = described.data;
  const read = async (name: string) => {
    const entry = Object.hasOwn(tensors, name) ? tensors[name] : undefined;
    if (!entry) throw invalid(`The check has no tensor ${name}.`);
    const raw = await readBounded(path.join(folder, entry.file), 'tensor');
    return new Tensor('float32', new Float32Array(new Uint8Array(raw).buffer), entry.shape);
  };
  const image = await read('image');
  const check: ExportCheck = {};
  const compare = async (file: string, feeds: Record<string, Tensor>, names: string[]) => {
    const model = await readBounded(path.join(artifacts, file), 'model');
    checkWeights({ isExternal: hasExternalData(model) });
    const session = await InferenceSession.create(model, {
      executionProviders: ['cpu'],
      logSeverityLevel: 3,
    });
    try {
      const found = await session.run(feeds);
      for (const name of names) {
        const apart = difference((await read(name)).data, found[name]?.data);
        if (!Number.isFinite(apart))
          throw invalid(`${file} gives no ${name} that can be held against what PyTorch gave.`);
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

async function readBounded(file: string, kind: keyof typeof MAX_BYTES): Promise<Buffer> {
  const found = await lstat(file).catch(() => null);
  const name = path.basename(file);
  if (!found?.isFile()) throw invalid(`${name} is missing.`);
  if (found.size > MAX_BYTES[kind]) throw invalid(`${name} has ${found.size} bytes: too many.`);
  return readFile(file);
}

/** In units of the greatest value; infinite where there is nothing to compare with. */
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
