/**
 * What each assist is worth: clicks and seconds until a drawing has an IoU of 0.9 with the truth, beside the plain
 * polygon tool. Models that are not installed are left out.
 *
 *   npm run bench:assist -- [--pictures 20] [--photos folder] [--only region] [--verbose]
 */
import { parseArgs } from 'node:util';
import { readConfig } from '@/lib/config';
import { findModels, installCommand } from '@/lib/services/inference/assists/model-files';
import { SalientObject } from '@/lib/services/inference/assists/run-models';
import { encodeMs, mainObjectTrial, SegmentAnything, samTrial } from './models';
import { livewireTrial, polygonTrial } from './outlines';
import { regionTrial } from './region';
import { photoTargets, sceneTargets, type Target } from './targets';
import { both, ENOUGH, secondsOf, type Trial } from './trial';

const { values: options } = parseArgs({
  options: {
    pictures: { type: 'string', default: '20' },
    photos: { type: 'string' },
    only: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
  },
});

interface Method {
  name: string;
  try(target: Target): Promise<Trial>;
}

const models = findModels(readConfig());
const sam = models.segmentAnything && (await SegmentAnything.open(models.segmentAnything));
const salient = models.salientObject && (await SalientObject.open(models.salientObject.network));
if (!sam || !salient) console.log(`Not all models are here; \`${installCommand}\` fetches them.\n`);

const polygon: Method = { name: 'polygon, by hand', try: async (target) => polygonTrial(target) };
const methods: Method[] = [
  polygon,
  { name: 'smart outline (livewire)', try: async (target) => livewireTrial(target) },
  { name: 'smart region (scribbles)', try: regionTrial },
  ...(sam
    ? [
        {
          name: `smart object, clicks (${sam.name})`,
          try: (target: Target) => samTrial(sam, target, 'point'),
        },
        { name: `smart object, box (${sam.name})`, try: (target: Target) => samTrial(sam, target, 'box') },
      ]
    : []),
  ...(salient
    ? [
        {
          name: `main object (${models.salientObject?.name})`,
          try: (target: Target) => mainObjectTrial(salient, target),
        },
      ]
    : []),
];

const { objects, parts } = await sceneTargets(Number(options.pictures));
await report('Whole objects of generated pictures', objects);
await report('Parts of them', parts);
if (options.photos) await report('Photographs', await photoTargets(options.photos));
else console.log('No photographs: --photos takes a folder of name.jpg with the truth as name.png.');
if (sam) {
  const times: number[] = [];
  for (const target of objects.slice(0, 5)) times.push(await encodeMs(sam, target));
  console.log(
    `\nEncoding a picture, once, since the tool was chosen: ${median(times).toFixed(0)} ms (median of ${times.length}).`,
  );
}

async function report(title: string, targets: Target[]): Promise<void> {
  console.log(`\n${title}: ${targets.length}\n`);
  console.log(
    '| tool | reaches 0.9 | IoU, median | clicks | waiting ms per step | seconds | against polygon |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  const byHand: number[] = [];
  for (const method of methods.filter((one) => one === polygon || one.name.includes(options.only))) {
    const trials: Trial[] = [];
    for (const target of targets) trials.push(await method.try(target));
    if (options.verbose)
      for (const [i, { iou, effort }] of trials.entries())
        console.log(`  ${targets[i]?.name}: ${iou.toFixed(3)} ${JSON.stringify(effort)}`);
    if (method === polygon) byHand.push(...trials.map(({ effort }) => secondsOf(effort)));
    console.log(`| ${[method.name, ...cells(trials, targets, byHand)].join(' | ')} |`);
  }
}

/** Who does not get there gives up and draws the polygon after all: seconds count both. */
function cells(trials: readonly Trial[], targets: readonly Target[], byHand: readonly number[]): string[] {
  const good = trials.filter(({ iou }) => iou >= ENOUGH);
  const spent = trials.map((trial, i) => {
    if (trial.iou >= ENOUGH) return trial.effort;
    return both(trial.effort, polygonTrial(targets[i] as Target).effort);
  });
  const seconds = spent.map(secondsOf);
  const steps = trials.map(
    ({ effort }) => effort.computeMs / Math.max(1, effort.clicks + effort.drags + effort.looks / 2),
  );
  const faster = median(seconds.map((value, i) => (byHand[i] as number) / value));
  return [
    `${good.length} of ${trials.length}`,
    median(trials.map(({ iou }) => iou)).toFixed(3),
    median(spent.map(({ clicks, drags, keys }) => clicks + drags + keys)).toFixed(0),
    median(steps).toFixed(0),
    median(seconds).toFixed(1),
    `${faster.toFixed(2)}×`,
  ];
}

function median(list: readonly number[]): number {
  const sorted = [...list].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}
