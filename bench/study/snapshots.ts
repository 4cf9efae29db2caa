import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeSnapshot } from '@/lib/services/training/write-snapshot';
import { type Counts, makeScenes, type Setting, scenesHash } from './scenes';

export interface MadeSnapshot {
  folder: string;
  /** As a spec names it. */
  hash: string;
}

/** The scenes of a setting as the trainer reads them; made once in a folder. */
export async function ensureSnapshot(root: string, setting: Setting, counts: Counts): Promise<MadeSnapshot> {
  const folder = path.join(root, `scenes-${setting}-${scenesHash(setting, counts).slice(0, 8)}`);
  const manifest = path.join(folder, 'manifest.json');
  if (existsSync(manifest)) {
    const hash = createHash('sha256')
      .update(await readFile(manifest))
      .digest('hex');
    return { folder, hash: `sha256:${hash}` };
  }
  const { dataset, pictures } = await makeScenes(setting, counts);
  return writeSnapshot({
    dataset,
    pictures,
    choice: { classes: 'class', view: { kind: 'whole', side: 64 } },
    folder,
    signal: new AbortController().signal,
    progress: async () => {},
  });
}
