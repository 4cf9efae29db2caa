/**
 * How the engine of the smart tools serves people: times of the encoder and of one and of ten prompts, and how long
 * simulated users wait. Each user opens images one after the other, as in a batch whose first two images are encoded when it
 * is taken and the next two while they draw, looks at the image, and draws boxes with pauses in between.
 *
 *   npm run bench:assist-load -- --photos <folder> [--users 10] [--images 3] [--prompts 7] [--arrive 0] [--json]
 *
 * The folder has images and COCO polygons in `annotations.json`, in it or in `images/`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '@/lib/config';
import { decodeCounts, iou } from '@/lib/core/mask';
import { createRng } from '@/lib/core/robustness/random';
import { AssistEngine, type EngineUser } from '@/lib/services/inference/assists/assist-engine';
import type { Rank } from '@/lib/services/inference/assists/fair-queue';
import { findModels, installCommand } from '@/lib/services/inference/assists/model-files';
import type { PlacePrompt } from '@/lib/services/inference/assists/prompt';
import { type Photo, readPhotos } from './photos';

const { values: options } = parseArgs({
  options: {
    photos: { type: 'string' },
    users: { type: 'string', default: '10' },
    images: { type: 'string', default: '3' },
    prompts: { type: 'string', default: '7' },
    /** Seconds within which the users begin. */
    arrive: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
  },
});

/** Seconds that a person looks at an image before the first box, and between boxes (a box, judging, accepting). */
const LOOK_S = 4;
const PAUSE_S = 5;
/** Images for the times without load. */
const QUIET_IMAGES = 6;
const BATCH = 10;

const found = findModels(readConfig()).segmentAnything;
if (!found || !options.photos) {
  console.error(found ? 'Give a folder: --photos <folder>.' : `Install a model first: ${installCommand}`);
  process.exit(1);
}
const model = found;

const photos = await readPhotos(options.photos);
const folder = mkdtempSync(path.join(os.tmpdir(), 'tessera-assist-load-'));
const engine = new AssistEngine({ cache: () => ({ folder, maxBytes: 2e9 }) });
let peakMb = { total: 0, largest: 0 };
const watch = setInterval(() => {
  const sizes = childrenMb();
  peakMb = {
    total: Math.max(
      peakMb.total,
      sizes.reduce((sum, size) => sum + size, 0),
    ),
    largest: Math.max(peakMb.largest, ...sizes),
  };
}, 500);

try {
  const quiet = await measureQuiet(photos.slice(0, QUIET_IMAGES));
  const load = await measureLoad(photos.slice(QUIET_IMAGES));
  const result = { model: model.name, cores: os.availableParallelism(), quiet, load, peakMb };
  if (options.json) console.log(JSON.stringify(result, null, 2));
  else report(result);
} finally {
  clearInterval(watch);
  engine.close();
  rmSync(folder, { recursive: true, force: true });
}

async function measureQuiet(sample: readonly Photo[]) {
  const user = { id: 'quiet', isVeiled: false };
  const [encodeMs, oneMs, manyMs]: number[][] = [[], [], []];
  const overlaps: number[] = [];
  for (const photo of sample) {
    const request = { user, model, picture: photo.picture };
    encodeMs?.push(await timeOf(() => engine.prepare(request)));
    const boxes = Array.from({ length: BATCH }, (_, i) => photo.boxes[i % photo.boxes.length] as Box);
    const prompts = boxes.map(promptOf);
    await engine.segment({ ...request, prompts: prompts.slice(0, 1) });
    oneMs?.push(await timeOf(() => engine.segment({ ...request, prompts: prompts.slice(0, 1) })));
    manyMs?.push(await timeOf(() => engine.segment({ ...request, prompts })));
    const { masks } = await engine.segment({ ...request, prompts: photo.boxes.map(promptOf) });
    const { width, height } = photo.picture.size;
    for (const [i, { counts }] of masks.entries())
      overlaps.push(iou(decodeCounts(counts, height, width), (photo.boxes[i] as Box).truth));
  }
  return {
    images: sample.length,
    // The first image also loads the models.
    encodeMs: summary(encodeMs?.slice(1) ?? []),
    onePromptMs: summary(oneMs ?? []),
    tenPromptsMs: summary(manyMs ?? []),
    parts: overlaps.length,
    meanIouOfBoxes: overlaps.reduce((sum, value) => sum + value, 0) / overlaps.length,
  };
}

/** Every user has images of their own. All begin in the same moment unless --arrive spreads them. */
async function measureLoad(all: readonly Photo[]) {
  const waits: number[] = [];
  const firsts: number[] = [];
  let errors = 0;
  const [users, images, prompts] = [options.users, options.images, options.prompts].map(Number) as [
    number,
    number,
    number,
  ];
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: users }, (_, n) => work(n)));
  return {
    users,
    seconds: Math.round((performance.now() - startedAt) / 1000),
    prompts: waits.length + firsts.length,
    errors,
    /** The first prompt on each image, which can wait for the encoder. */
    firstPromptMs: summary(firsts),
    laterPromptMs: summary(waits),
  };

  async function work(n: number): Promise<void> {
    const rng = createRng(`user ${n}`);
    const user: EngineUser = { id: `user ${n}`, isVeiled: true };
    await sleep((1000 * Number(options.arrive) * n) / users);
    const own = Array.from({ length: images }, (_, i) => all[(n * images + i) % all.length] as Photo);
    const ahead = (list: readonly Photo[], rank: Rank) => {
      for (const { picture } of list) engine.prepare({ user, model, picture, rank }).catch(() => errors++);
    };
    ahead(own.slice(0, 2), 1);
    for (const [i, photo] of own.entries()) {
      ahead([photo], 1);
      ahead(own.slice(i + 1, i + 3), 2);
      await sleep(1000 * LOOK_S * (0.5 + rng.unit()));
      for (let k = 0; k < prompts; k++) {
        const prompt = promptOf(photo.boxes[k % photo.boxes.length] as Box);
        const request = { user, model, picture: photo.picture, prompts: [prompt] };
        const ms = await timeOf(() => engine.segment(request)).catch(() => void errors++);
        if (ms !== undefined) (k === 0 ? firsts : waits).push(ms);
        await sleep(1000 * PAUSE_S * (0.5 + rng.unit()));
      }
    }
  }
}

type Box = Photo['boxes'][number];
function promptOf({ box }: Box): PlacePrompt {
  return { kind: 'box', box, points: [] };
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

/** Resident memory of the model processes. */
function childrenMb(): number[] {
  const lines = execFileSync('ps', ['-o', 'rss=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return lines
    .split('\n')
    .filter((line) => line.includes('model-child'))
    .map((line) => Number.parseInt(line, 10) / 1024);
}

function summary(times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  return { n: sorted.length, median: at(0.5), p95: at(0.95), max: at(1) };
}

type Summary = ReturnType<typeof summary>;
interface Result {
  model: string;
  cores: number;
  quiet: Awaited<ReturnType<typeof measureQuiet>>;
  load: Awaited<ReturnType<typeof measureLoad>>;
  peakMb: { total: number; largest: number };
}

function report({ model, cores, quiet, load, peakMb }: Result): void {
  const row = (name: string, { n, median, p95, max }: Summary) =>
    console.log(`| ${name} | ${n} | ${median} | ${p95} | ${max} |`);
  console.log(`${model}, ${cores} cores\n`);
  console.log('| ms | n | median | p95 | maximum |\n| --- | --- | --- | --- | --- |');
  row('encode an image', quiet.encodeMs);
  row('one prompt', quiet.onePromptMs);
  row('ten prompts in one call', quiet.tenPromptsMs);
  row(`${load.users} users: first prompt on an image`, load.firstPromptMs);
  row(`${load.users} users: later prompts`, load.laterPromptMs);
  console.log(
    `\n${load.prompts} prompts in ${load.seconds} s, ${load.errors} errors. ` +
      `Model processes: at most ${Math.round(peakMb.total)} MB, the largest ${Math.round(peakMb.largest)} MB.\n` +
      `One tight box, ${quiet.parts} parts: mean IoU ${quiet.meanIouOfBoxes.toFixed(3)}.`,
  );
}
