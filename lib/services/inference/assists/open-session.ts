import { readFile } from 'node:fs/promises';
import os from 'node:os';
import { InferenceSession } from 'onnxruntime-node';
import { sha256Of } from '@/lib/services/storage/blobs';
import type { ModelFile } from './model-files';

/** More threads hardly make one picture faster, and would take the cores from whoever else works. */
const MOST_THREADS = 2;

/** The bytes that were checked are the bytes that are loaded. */
export async function openSession({ file, sha256 }: ModelFile) {
  const bytes = await readFile(file);
  const fingerprint = sha256Of(bytes);
  if (sha256 !== null && fingerprint !== sha256)
    throw new Error(`${file} is not the file that was installed: its fingerprint differs.`);
  const session = await InferenceSession.create(bytes, {
    executionProviders: ['cpu'],
    intraOpNumThreads: Math.min(MOST_THREADS, os.availableParallelism()),
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
  });
  return { session, fingerprint };
}

/** The side of the square that a network of images takes: planar, three channels. */
export function inputSide(session: InferenceSession, file: string): number {
  const [input] = session.inputMetadata;
  const [, channels, height, width] = input?.isTensor ? input.shape : [];
  if (channels !== 3 || height !== width || typeof height !== 'number')
    throw new Error(`${file} does not take 1 × 3 × side × side pixels, as a Segment Anything encoder does.`);
  return height;
}
