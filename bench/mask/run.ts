/**
 * Tessera's masks against pycocotools (as Python and as C) and OpenCV, on the same data and in turns, so that whatever
 * else the machine does hits all alike. Prints a Markdown table; the figures add up the best time of every slice of the data.
 *
 *   npm run bench:mask [-- --rounds 5] [--only iou]
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { chooseKernel, type Kernel } from '@/lib/core/mask/kernel';
import { plainKernel } from '@/lib/core/mask/kernel/plain';
import { createWasmKernel } from '@/lib/core/mask/kernel/wasm';
import { Anchors } from './anchors';
import { makeScene, type Scene } from './data';
import { type Contender, type Items, OPERATIONS, type Operation, prepare, type Slice } from './operations';

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, only: { type: 'string', default: '' } },
});
const LABELS: Record<Contender, string> = { python: 'pycocotools', c: 'its C core', opencv: 'OpenCV' };

/** Best seconds by slice and who did it; for us by path and contender, as the work differs per contender. */
class Best {
  readonly #seconds = new Map<string, number>();

  note(key: string, seconds: number): void {
    this.#seconds.set(key, Math.min(seconds, this.#seconds.get(key) ?? Number.POSITIVE_INFINITY));
  }

  get(key: string): number | undefined {
    return this.#seconds.get(key);
  }
}

const best = new Best();
const wasm = createWasmKernel();
const paths: Kernel[] = wasm ? [wasm, plainKernel] : [plainKernel];

/** Both sides do a slice this often in a row: the first time warms the caches that the other side has emptied. */
const IN_A_ROW = 3;

function timed(work: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < IN_A_ROW; i++) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best / 1000;
}

function slices({ count, perSlice }: Items): Slice[] {
  const starts = Array.from({ length: Math.ceil(count / perSlice) }, (_, i) => i * perSlice);
  return starts.map((from) => ({ from, to: Math.min(count, from + perSlice) }));
}

/** Ours and theirs in turns, slice by slice. */
async function measureRound(scene: Scene, operation: Operation, path: Kernel, anchors: Anchors | undefined) {
  for (const slice of slices(operation.items(scene))) {
    const key = `${scene.name} ${operation.name} ${slice.from}`;
    for (const [contender, work] of Object.entries(operation.against))
      best.note(
        `${key} ${path.name} ${contender}`,
        timed(() => work(scene, slice)),
      );
    const theirs = (await anchors?.seconds(scene, operation.name, slice, IN_A_ROW)) ?? {};
    for (const [contender, seconds] of Object.entries(theirs)) best.note(`${key} ${contender}`, seconds);
  }
}

/** Microseconds per result, from the best time of every slice. */
function micros(scene: Scene, operation: Operation, who: string): number | undefined {
  const items = operation.items(scene);
  let seconds = 0;
  for (const { from } of slices(items))
    seconds += best.get(`${scene.name} ${operation.name} ${from} ${who}`) ?? Number.NaN;
  return Number.isNaN(seconds) ? undefined : (seconds / (items.count * items.results)) * 1e6;
}

function rows(scene: Scene, operation: Operation): string[] {
  return (Object.keys(operation.against) as Contender[]).map((contender) => {
    const theirs = micros(scene, operation, contender);
    const plain = micros(scene, operation, `plain ${contender}`);
    const fast = micros(scene, operation, `wasm ${contender}`);
    const ours = fast ?? plain;
    const ratio = theirs === undefined || !ours ? '–' : `**${(theirs / ours).toFixed(1)}×**`;
    const times = [theirs, plain, fast].map((time) => (time === undefined ? '–' : shortNumber(time)));
    const cells = [operation.title, `${scene.width}×${scene.height}`, LABELS[contender], ...times, ratio];
    return `| ${cells.join(' | ')} |`;
  });
}

/** Three digits, without an exponent. */
function shortNumber(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

const scenes = [makeScene('small'), makeScene('large')];
const operations = OPERATIONS.filter(({ name }) => name.startsWith(options.only));
const anchors = await Anchors.start(scenes);
if (!anchors) console.log('No pycocotools and OpenCV here: only our own times are shown.');
for (let round = 0; round < Number(options.rounds); round++) {
  for (const scene of scenes)
    for (const path of paths) {
      chooseKernel(path);
      prepare(scene);
      for (const operation of operations) await measureRound(scene, operation, path, anchors);
    }
  process.stderr.write(`round ${round + 1} of ${options.rounds}\n`);
}
if (anchors) {
  const { pycocotools, opencv, core } = anchors.about;
  console.log(`pycocotools ${pycocotools} (C core: ${core}), OpenCV ${opencv}, one thread`);
}
console.log(`Node ${process.version}, ${cpus()[0]?.model}, best of ${options.rounds} rounds\n`);
console.log(
  '| operation | canvas | against | theirs, µs | ours in TypeScript, µs | in WebAssembly, µs | ratio |',
);
console.log('|---|---|---|--:|--:|--:|--:|');
for (const operation of operations)
  for (const scene of scenes) for (const row of rows(scene, operation)) console.log(row);
anchors?.stop();
