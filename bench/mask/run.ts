/**
 * Tessera's masks against pycocotools (as Python and as C) and OpenCV, on the same data and in turns, so that whatever
 * else the machine does hits all alike. Prints a Markdown table; the figures are the best of all rounds.
 *
 *   npm run bench:mask [-- --rounds 7] [--only iou]
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { type Kernel, useKernel } from '@/lib/mask/kernel';
import { plainKernel } from '@/lib/mask/kernel/plain';
import { createWasmKernel } from '@/lib/mask/kernel/wasm';
import { Anchors } from './anchors';
import { makeScene, type Scene } from './data';
import { type Contender, OPERATIONS, type Operation, prepare } from './operations';

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, only: { type: 'string', default: '' } },
});
const LABELS: Record<Contender, string> = { python: 'pycocotools', c: 'its C core', opencv: 'OpenCV' };

/** Best seconds of one pass, by who did it; for us by path and contender, as the work differs per contender. */
class Best {
  readonly #seconds = new Map<string, number>();

  note(key: string, seconds: number): void {
    this.#seconds.set(key, Math.min(seconds, this.#seconds.get(key) ?? Number.POSITIVE_INFINITY));
  }

  get(key: string): number | undefined {
    return this.#seconds.get(key);
  }
}

const wasm = createWasmKernel();
const paths: Kernel[] = wasm ? [wasm, plainKernel] : [plainKernel];

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1000;
}

async function measureRound(
  scene: Scene,
  operations: readonly Operation[],
  anchors: Anchors | undefined,
  best: Best,
) {
  for (const path of paths) {
    useKernel(path);
    prepare(scene);
    for (const operation of operations) {
      const key = `${scene.name} ${operation.name}`;
      for (const [contender, work] of Object.entries(operation.against))
        best.note(
          `${key} ${path.name} ${contender}`,
          timed(() => work(scene)),
        );
      const theirs = (await anchors?.seconds(scene, operation.name)) ?? {};
      for (const [contender, seconds] of Object.entries(theirs)) best.note(`${key} ${contender}`, seconds);
    }
  }
}

function rows(scene: Scene, operation: Operation, best: Best): string[] {
  const key = `${scene.name} ${operation.name}`;
  const micros = (seconds: number | undefined) =>
    seconds === undefined ? '–' : ((seconds / operation.units(scene)) * 1e6).toPrecision(3);
  return (Object.keys(operation.against) as Contender[]).map((contender) => {
    const theirs = best.get(`${key} ${contender}`);
    const fast = best.get(`${key} wasm ${contender}`);
    const plain = best.get(`${key} plain ${contender}`);
    const ours = Math.min(fast ?? Number.POSITIVE_INFINITY, plain ?? Number.POSITIVE_INFINITY);
    const ratio = theirs === undefined ? '–' : `**${(theirs / ours).toFixed(1)}×**`;
    const cells = [operation.title, `${scene.width}×${scene.height}`, LABELS[contender], micros(theirs)];
    return `| ${[...cells, micros(plain), micros(fast), ratio].join(' | ')} |`;
  });
}

const scenes = [makeScene('small'), makeScene('large')];
const operations = OPERATIONS.filter(({ name }) => name.startsWith(options.only));
const anchors = await Anchors.start(scenes);
if (!anchors) console.log('No pycocotools and OpenCV here: only our own times are shown.');
const best = new Best();
for (let round = 0; round < Number(options.rounds); round++) {
  for (const scene of scenes) await measureRound(scene, operations, anchors, best);
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
  for (const scene of scenes) for (const row of rows(scene, operation, best)) console.log(row);
anchors?.stop();
