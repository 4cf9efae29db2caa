/**
 * Which way of merging answers makes the fewest errors? Crowds whose truth is known, at overlap 1, 3 and 5.
 *
 *   npm run bench:aggregate [-- --items 400 --seeds 3]
 */
import { parseArgs } from 'node:util';
import { iou, type Mask } from '@/lib/core/mask';
import { aggregators, bestClass, indexVotes, noTruth, type Vote } from '@/lib/core/quality/aggregate';
import { maskAggregators } from '@/lib/core/quality/aggregate/masks';
import { rival10 } from '@/lib/core/schema/presets';
import { markAttributes } from '@/lib/demo/hand';
import { answerAs, type DemoStage } from '@/lib/demo/past-work';
import { createRng, generateScene, type Scene } from '@/lib/demo/scenes';
import { type CrowdWorker, crowdOf, draw } from './consensus-data';

const { values } = parseArgs({
  options: { items: { type: 'string', default: '400' }, seeds: { type: 'string', default: '3' } },
});
const items = Number(values.items);
const seeds = Array.from({ length: Number(values.seeds) }, (_, n) => n + 1);
const overlaps = [1, 3, 5];
const crowd = crowdOf(40);

/** One item in ten has known truth, as gold would give. */
const GOLD = 10;

const percent = (value: number) => `${(100 * value).toFixed(2)} %`;
const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;

function scenesOf(seed: number): Scene[] {
  return Array.from({ length: items }, (_, n) =>
    generateScene({ preset: 'rival10', width: 256, height: 256, seed: seed * 100_000 + n }),
  );
}

/** Wrong (image, attribute) pairs as a share of all, gold left out, by method. */
function attributeErrors(scenes: readonly Scene[], overlap: number, seed: number): number[] {
  const random = createRng(seed).fork(`attributes ${overlap}`);
  const marks = scenes.map((scene) =>
    draw(crowd, overlap, random).map((worker) => ({
      worker,
      marked: new Set(markAttributes(scene.attributes, worker.skill, random)),
    })),
  );
  const attributes = Object.keys(scenes[0]?.attributes ?? {});
  // All attributes in one: a worker's care shows in every one of them, and each alone has too few answers.
  const votes = indexVotes(
    marks.flatMap((answers, item) =>
      attributes.flatMap((attribute) =>
        answers.map(({ worker, marked }): Vote => {
          const value = marked.has(attribute) ? 'yes' : 'no';
          return { item: `${item} ${attribute}`, worker: worker.id, value };
        }),
      ),
    ),
    ['no', 'yes'],
  );
  const right = scenes.flatMap((scene) => attributes.map((attribute) => Number(scene.attributes[attribute])));
  const isGold = (pair: number) => Math.floor(pair / attributes.length) % GOLD === 0;
  const truth = noTruth(votes).map((_, pair) => (isGold(pair) ? (right[pair] as number) : -1));
  return aggregators.map(({ aggregate }) => {
    const result = aggregate(votes, truth);
    const asked = right.flatMap((value, pair) =>
      isGold(pair) ? [] : [bestClass(result, 2, pair).best === value],
    );
    return asked.filter((isRight) => !isRight).length / asked.length;
  });
}

const objects: DemoStage = { id: 'objects', kind: 'object-mask' };

/** Mean IoU of the merged object masks with the truth, by method. */
function maskIou(scenes: readonly Scene[], overlap: number, seed: number): number[] {
  const random = createRng(seed).fork(`masks ${overlap}`);
  const drawn = scenes.map((scene, n) => ({
    truth: scene.objectMask,
    masks: draw(crowd, overlap, random).flatMap((worker): Mask[] => {
      const item = { id: `${n}`, image: { id: `${n}`, scene }, target: '' };
      const mask = answerAs(asDemo(worker), objects, item, rival10, random).mask;
      return mask ? [mask] : [];
    }),
  }));
  return maskAggregators.map(({ aggregate }) =>
    mean(drawn.map(({ truth, masks }) => iou(aggregate(masks).mask, truth))),
  );
}

const asDemo = ({ id, skill }: CrowdWorker) => ({ key: id, name: id, email: id, skill, secondsPerItem: 30 });

const scenes = new Map(seeds.map((seed) => [seed, scenesOf(seed)]));
const over = (measure: typeof attributeErrors) =>
  overlaps.map((overlap) => {
    const runs = seeds.map((seed) => measure(scenes.get(seed) as Scene[], overlap, seed));
    return (runs[0] as number[]).map((_, method) => mean(runs.map((run) => run[method] as number)));
  });

function print(
  title: string,
  names: readonly string[],
  columns: number[][],
  show: (value: number) => string,
) {
  console.log(`\n${title}\n`);
  console.log(`| method | ${overlaps.map((overlap) => `overlap ${overlap}`).join(' | ')} |`);
  console.log(`|---|${overlaps.map(() => '--:').join('|')}|`);
  names.forEach((name, method) => {
    console.log(`| ${name} | ${columns.map((column) => show(column[method] as number)).join(' | ')} |`);
  });
}

console.log(`${items} generated pictures, ${crowd.length} workers, mean of ${seeds.length} seeds`);
print(
  'Wrong attributes',
  aggregators.map(({ name }) => name),
  over(attributeErrors),
  percent,
);
print(
  'IoU of object masks with the truth',
  maskAggregators.map(({ name }) => name),
  over(maskIou),
  (value) => value.toFixed(3),
);
