import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { trainingPreset } from '@/lib/core/training-spec';
import { FileCache, isPassing, Refused } from '@/lib/services/training/agent/platform';
import { misfit } from '@/lib/services/training/trainers/calibration';

const root = mkdtempSync(path.join(os.tmpdir(), 'tessera-agent-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const content = Buffer.from(Array.from({ length: 5000 }, (_, at) => at % 251));
const sha256 = createHash('sha256').update(content).digest('hex');
const forever = new AbortController().signal;

/** A server that answers with what is left to tell of it, once for each entry. */
function serving(...answers: ((from: number) => Response | Promise<Response>)[]) {
  const asked: number[] = [];
  const open = async (from: number) => {
    asked.push(from);
    const answer = answers[asked.length - 1];
    if (!answer) throw new Refused(404, 'Asked too often.');
    return answer(from);
  };
  return { asked, wanted: { sha256, bytes: content.length, open } };
}

const rest = (from: number) =>
  new Response(new Uint8Array(content.subarray(from)), { status: from > 0 ? 206 : 200 });

/** Some bytes arrive, then the line is cut. */
const cutAfter = (bytes: number) => (from: number) =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(content.subarray(from, from + bytes)));
      },
      pull(controller) {
        controller.error(new Error('cut'));
      },
    }),
    { status: from > 0 ? 206 : 200 },
  );

describe('a machine that fetches a snapshot', () => {
  it('goes on where the line was cut, and fetches it once for all its runs', async () => {
    const cache = new FileCache(path.join(root, 'cut'));
    const { asked, wanted } = serving(cutAfter(2000), cutAfter(1500), rest);
    for (const run of ['one', 'two']) {
      const place = path.join(root, run, 'data', 'images.u8');
      await cache.fetch(wanted, place, forever);
      expect(readFileSync(place).equals(content)).toBe(true);
    }
    expect(asked).toEqual([0, 2000, 3500]);
  });

  it('fetches again what came damaged, and never shows it to a run', async () => {
    const cache = new FileCache(path.join(root, 'damaged'));
    const wrong = Buffer.from(content);
    wrong.writeUInt8(wrong.readUInt8(17) ^ 1, 17);
    const { asked, wanted } = serving(() => new Response(new Uint8Array(wrong)), rest);
    const place = path.join(root, 'damaged-run', 'images.u8');
    await cache.fetch(wanted, place, forever);
    expect(readFileSync(place).equals(content)).toBe(true);
    expect(asked).toEqual([0, 0]);
  });

  it('gives up, so that the run is given back, when the disk is full or the file is damaged for good', async () => {
    const cache = new FileCache(path.join(root, 'for-good'));
    const wrong = () => new Response(new Uint8Array(content.length));
    const { asked, wanted } = serving(wrong, wrong, wrong);
    await expect(cache.fetch(wanted, path.join(root, 'x'), forever)).rejects.toThrow('damaged, twice');
    expect(asked.length).toBe(2);
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    expect([full, new TypeError('fetch failed', { cause: full })].map(isPassing)).toEqual([false, false]);
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    expect(isPassing(new TypeError('fetch failed', { cause: refused }))).toBe(true);
  });

  it('starts over when the server sends the whole although a part was asked for', async () => {
    const folder = path.join(root, 'whole');
    const cache = new FileCache(folder);
    const { wanted } = serving(cutAfter(100), () => rest(0));
    const place = path.join(root, 'whole-run', 'images.u8');
    await cache.fetch(wanted, place, forever);
    expect(readFileSync(place).equals(content)).toBe(true);
    // A disk that was full has cut it since: the length tells.
    writeFileSync(path.join(folder, sha256), content.subarray(0, 10));
    const { wanted: again } = serving(rest);
    await cache.fetch(again, place, forever);
    expect(readFileSync(place).equals(content)).toBe(true);
  });
});

describe('what a machine can train', () => {
  const machine = { torch: '2.3.0', gpus: [{ name: 'A100', memoryGb: 40 }], memoryGb: 64 };
  const small = trainingPreset('tiny-64')?.make({
    arch: 'downsampled',
    method: 'normal',
    id: 'fits',
    snapshot: `sha256:${'0'.repeat(64)}`,
    seed: 0,
  }).resources;
  if (!small) throw new Error('The preset is there.');

  it.each([
    ['a processor is asked for', machine, small, null],
    ['there is no PyTorch', { ...machine, torch: null }, small, 'it has no PyTorch'],
    ['there is no GPU', { ...machine, gpus: [] }, { ...small, device: 'cuda' as const }, 'it has no GPU'],
    ['one GPU is enough', machine, { ...small, device: 'cuda' as const, gpus: 1 }, null],
    ['too few GPUs', machine, { ...small, device: 'cuda' as const, gpus: 4 }, 'it has 1 of 4 GPUs'],
    [
      'GPUs that nobody insists on',
      machine,
      { ...small, device: 'auto' as const, gpus: 2 },
      'it has 1 of 2 GPUs',
    ],
    ['too little memory', machine, { ...small, memoryGb: 100 }, 'it has 64 GB of memory, 100 are asked for'],
    ['several nodes', machine, { ...small, nodes: 2 }, 'it is one machine, 2 are asked for'],
  ])('%s', (_, having, asked, why) => {
    expect(misfit(having, asked)).toBe(why);
  });
});
