/** One export of a manifest to a folder, in a process of its own; prints seconds, files and the most memory used. */

import { formats } from '@/lib/core/formats';
import { commonOptions, readOptions } from '@/lib/core/formats/options';
import { withSmallHeap } from '@/lib/services/datasets/exports/export-version';
import { folderSink } from '@/lib/services/datasets/exports/folder-sink';
import { createPictures } from '@/lib/services/datasets/exports/read-pictures';
import { writeExport } from '@/lib/services/datasets/exports/write-export';
import { localDisk } from '@/lib/services/storage';
import { openManifest } from './open-manifest';

const [manifest = '', blobs = '', id = '', out = ''] = process.argv.slice(2);
const format = formats.find((each) => each.id === id);
if (!format) throw new Error(`no format ${id}`);

// As exportTo does it, without a database.
await withSmallHeap(async () => {
  const dataset = await openManifest(manifest);
  const store = localDisk(blobs);
  const options = readOptions([...format.options, ...commonOptions], {});
  const check = await format.check(dataset, options);
  if (check.refusals.length > 0) {
    console.log(JSON.stringify({ refused: check.refusals[0]?.what }));
  } else {
    const began = performance.now();
    const { files, bytes } = await writeExport({
      dataset,
      format,
      options,
      pictures: createPictures(store),
      placeOf: store.place,
      sink: await folderSink(out, id),
      extras: [],
      signal: new AbortController().signal,
      progress: async () => {},
    });
    const seconds = (performance.now() - began) / 1000;
    console.log(JSON.stringify({ seconds, files, bytes, peakMb: process.resourceUsage().maxRSS / 1024 }));
  }
});
