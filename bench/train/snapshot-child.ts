/** One snapshot of a manifest, in a process of its own; prints seconds. */
import { createPictures } from '@/lib/services/datasets/exports/read-pictures';
import { localDisk } from '@/lib/services/storage';
import { writeSnapshot } from '@/lib/services/training/write-snapshot';
import { openManifest } from '../export/open-manifest';

const [manifest = '', blobs = '', side = '64', folder = ''] = process.argv.slice(2);
const dataset = await openManifest(manifest);
const began = performance.now();
await writeSnapshot({
  dataset,
  pictures: createPictures(localDisk(blobs)),
  choice: { classes: 'class', view: { kind: 'whole', side: Number(side) } },
  folder,
  signal: new AbortController().signal,
  progress: async () => {},
});
console.log(JSON.stringify({ seconds: (performance.now() - began) / 1000 }));
