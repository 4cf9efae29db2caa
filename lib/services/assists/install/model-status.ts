import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ModelPackage, modelFolder } from '@/lib/services/inference/assists/model-files';
import { sha256Of } from '@/lib/services/storage/blobs';

export interface ModelStatus {
  name: string;
  version: string;
  does: string;
  licence: string;
  /** Of the model files. */
  bytes: number;
  folder: string;
  state: 'installed' | 'missing' | 'damaged';
}

/** Reads every file again: the names alone would not show a damaged one. */
export async function modelStatus(home: string, one: ModelPackage): Promise<ModelStatus> {
  const folder = modelFolder(home, one);
  const states = await Promise.all(
    one.files.map(async ({ name, sha256 }) => {
      const bytes = await readFile(path.join(folder, name)).catch(() => undefined);
      if (!bytes) return 'missing';
      return sha256Of(bytes) === sha256 ? 'installed' : 'damaged';
    }),
  );
  const { name, version, does, licence, files } = one;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const state = states.includes('damaged') ? 'damaged' : states.includes('missing') ? 'missing' : 'installed';
  return { name, version, does, licence, bytes, folder, state };
}
