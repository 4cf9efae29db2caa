import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { projectFolder } from '@/lib/config';
import { proveParquet } from '@/lib/datasets/import/prove-parquet';
import { formats } from '@/lib/formats';
import { partDataset } from '../formats/support/datasets';
import { treeOf, written } from '../support/formats';

const never = new AbortController().signal;
const endless = readFileSync(path.join(projectFolder, 'test/fixtures/fuzz/endless.parquet'));

it('a Parquet file on which the decoder goes round in circles is refused, and does not hang the worker', async () => {
  const tree = treeOf(new Map([['data/train-0.parquet', endless]]));
  await expect(proveParquet(tree, never, { patienceMs: 8_000 })).rejects.toThrow(
    'data/train-0.parquet is damaged or no Parquet file (there was no answer within 8 s)',
  );
});

it('what ends the process of the decoder ends that process only, and a file in order is let through', async () => {
  const format = formats.find(({ id }) => id === 'hf-parquet');
  if (!format) throw new Error('There is the format.');
  const good = treeOf(await written(format, await partDataset()));
  await expect(proveParquet(good, never, { memoryMb: 10 })).rejects.toThrow('its process ended');
  const none = treeOf(new Map([['a.parquet', Buffer.from('PAR1')]]));
  await expect(proveParquet(none, never)).rejects.toThrow('no whole Parquet file');
  await proveParquet(good, never);
});
