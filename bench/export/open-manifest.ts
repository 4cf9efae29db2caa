import { createReadStream } from 'node:fs';
import path from 'node:path';
import type { Dataset } from '@/lib/core/formats/dataset';
import type { DatasetSchema } from '@/lib/core/schema';
import { readLine, readLines } from '@/lib/services/datasets/manifest';

/** The version that a manifest on the disk describes, read as the platform reads it. */
export async function openManifest(manifest: string): Promise<Dataset> {
  const lines = () => readLines(createReadStream(manifest, { highWaterMark: 256 * 1024 }));
  const header = JSON.parse((await lines().next()).value?.text ?? '{}') as {
    schema: DatasetSchema;
    splits: string[];
    images: number;
  };
  return {
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
}
