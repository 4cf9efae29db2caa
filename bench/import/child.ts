/**
 * Imports a folder into a database of its own, freezes it and exports it as COCO, in a process of its own. Prints the
 * seconds of each step and the most memory that the process used.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { exportVersion } from '@/lib/services/datasets/exports/export-version';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { importDataset } from '@/lib/services/datasets/import/import-dataset';
import { fileTree } from '@/lib/services/datasets/import/source-trees';
import { picturePool } from '@/lib/services/images/ingest/picture-pool';
import { createProject } from '@/lib/services/projects';
import { localDisk } from '@/lib/services/storage';
import { cloneDatabase, startTestServer } from '@/test/support/server';

const [folder = '', out = ''] = process.argv.slice(2);
const home = mkdtempSync(path.join(os.tmpdir(), 'tessera-bench-import-'));
process.env.TESSERA_HOME = home;
const author = systemActor('bench');
const server = await startTestServer();
const { db, drop } = await cloneDatabase(server.adminUrl);
const context = {
  db,
  storage: localDisk(path.join(home, 'blobs')),
  signal: new AbortController().signal,
  progress: async () => {},
  log: async () => {},
};

async function timed<T>(work: () => Promise<T>): Promise<{ seconds: number; result: T }> {
  const began = performance.now();
  const result = await work();
  return { seconds: (performance.now() - began) / 1000, result };
}

try {
  const { id: projectId } = await createProject(db, author, {
    name: 'Bench',
    slug: 'bench',
    preset: 'part-imagenet',
  });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ name: path.relative(folder, file), file }));
  const imported = await timed(() =>
    importDataset(context, { projectId, author, mayAdopt: true, tree: fileTree(files), format: 'coco' }),
  );
  const importPeakMb = process.resourceUsage().maxRSS / 1024;
  const frozen = await timed(() =>
    freezeVersion(context, author, { projectId, request: FreezeRequest.parse({ split: { kind: 'none' } }) }),
  );
  const exported = await timed(() =>
    exportVersion(context, { projectId, version: 'latest', format: 'coco', options: {} }, out),
  );
  const labels = await db.$count(tables.labels);
  console.log(
    JSON.stringify({
      importSeconds: imported.seconds,
      freezeSeconds: frozen.seconds,
      exportSeconds: exported.seconds,
      labels,
      importPeakMb,
      peakMb: process.resourceUsage().maxRSS / 1024,
    }),
  );
} finally {
  picturePool().close();
  await drop();
  await server.stop();
  rmSync(home, { recursive: true, force: true });
}
