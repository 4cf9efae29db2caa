/** One export of a manifest to a folder, in a process of its own; prints seconds, files and the most memory used. */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { folderSink } from '@/lib/datasets/exports/folder-sink';
import { storedPictures } from '@/lib/datasets/exports/pictures';
import { writeExport } from '@/lib/datasets/exports/write-export';
import { readLine } from '@/lib/datasets/manifest/line';
import { readLines } from '@/lib/datasets/manifest/read-lines';
import { formats } from '@/lib/formats';
import { commonOptions } from '@/lib/formats/common-options';
import type { Dataset } from '@/lib/formats/dataset';
import { readOptions } from '@/lib/formats/read-options';
import type { DatasetSchema } from '@/lib/schema/types';
import { localDisk } from '@/lib/storage';

const [manifest = '', blobs = '', id = '', out = ''] = process.argv.slice(2);
const format = formats.find((each) => each.id === id);
if (!format) throw new Error(`no format ${id}`);

const lines = () => readLines(createReadStream(manifest, { highWaterMark: 256 * 1024 }));
const header = JSON.parse((await lines().next()).value?.text ?? '{}') as {
  schema: DatasetSchema;
  splits: string[];
  images: number;
};
const dataset: Dataset = {
  name: 'bench',
  hash: path.basename(manifest),
  schema: header.schema,
  splits: header.splits,
  count: header.images,
  licence: '',
  async *images() {
    let isFirst = true;
    for await (const { text } of lines()) {
      if (!isFirst) yield readLine(text);
      isFirst = false;
    }
  },
};
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
    pictures: storedPictures(store),
    placeOf: store.place,
    sink: await folderSink(out, id),
    extras: [],
    signal: new AbortController().signal,
    progress: async () => {},
  });
  const seconds = (performance.now() - began) / 1000;
  console.log(JSON.stringify({ seconds, files, bytes, peakMb: process.resourceUsage().maxRSS / 1024 }));
}
