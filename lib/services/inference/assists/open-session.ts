import { readFile } from 'node:fs/promises';
import os from 'node:os';
import { InferenceSession } from 'onnxruntime-node';
import { sha256Of } from '@/lib/services/storage/blobs';
import type { ModelFile } from './model-files';

/** More threads hardly speed up one picture and take cores from other processes. */
const MAX_THREADS = 2;

/** Opens a session from the verified bytes. */
export async function openSession({ file, sha256 }: ModelFile): Promise<InferenceSession> {
  const bytes = await readFile(file);
  if (sha256 !== null && sha256Of(bytes) !== sha256)
    throw new Error(`${file} is not the file that was installed: its fingerprint differs.`);
  return InferenceSession.create(bytes, {
    executionProviders: ['cpu'],
    intraOpNumThreads: Math.min(MAX_THREADS, os.availableParallelism()),
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
  });
}

/** Input size of a square, planar RGB network. */
export function readInputSide(session: InferenceSession, file: string): number {
  const [input] = session.inputMetadata;
  const [, channels, height, width] = input?.isTensor ? input.shape : [];
  if (channels !== 3 || height !== width || typeof height !== 'number')
    throw new Error(`${file} does not take 1 × 3 × side × side pixels, as a Segment Anything encoder does.`);
  return height;
}
