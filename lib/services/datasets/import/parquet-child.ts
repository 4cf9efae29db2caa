import { openShard, rowsOf } from '@/lib/core/formats/hf-parquet/read';
import { serveRequests } from '@/lib/services/inference/serve-child';

/** Reads a Parquet file completely and returns its number of rows. */
serveRequests(async (_, given) => {
  const { path, bytes } = given as { path: string; bytes: Uint8Array };
  const { file, metadata } = await openShard({ paths: [path], bytes: async () => bytes }, path);
  let rows = 0;
  for await (const _row of rowsOf(file, metadata)) rows += 1;
  return rows;
});
