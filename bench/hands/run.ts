/**
 * Simulated hands: seconds and actions until every part of an image is drawn, part by part on pages of their own and on
 * one canvas, by the real editor in one run. On one canvas, borders of neighbours are traced, or overlaps subtracted.
 *
 *   npm run bench:hands -- [--pictures 22] [--photos folder] [--json]
 */
import { parseArgs } from 'node:util';
import { area } from '@/lib/core/mask';
import { drawAlone, drawTogether, openEditor } from './draw';
import { actionsOf, Hand, OPERATORS, secondsOf } from './hand';
import {
  generatedImages,
  keystrokes,
  keystrokesBefore,
  median,
  type PartsImage,
  photographedImages,
  trueForms,
} from './images';
import { planOf } from './plan';

const { values: options } = parseArgs({
  options: {
    pictures: { type: 'string', default: '22' },
    photos: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

type Figures = { secondsPerPart: number; actionsPerPart: number; clicksPerPart: number; meanIou: number };

function measure(images: readonly PartsImage[]) {
  const blank = openEditor({ name: '', width: 1, height: 1, parts: [] }, ['']);
  const alone = { hand: new Hand(blank), iou: 0 };
  const ways = (['tracing', 'subtraction'] as const).map((sharing) => ({
    sharing,
    hand: new Hand(blank),
    iou: 0,
  }));
  let parts = 0;
  for (const image of images) {
    const plans = new Map(image.parts.map(({ name, truth }) => [name, planOf(truth)] as const));
    parts += image.parts.length;
    for (const { name } of image.parts)
      alone.iou += drawAlone(alone.hand, image, name, plans.get(name) ?? []);
    for (const way of ways) {
      const labels = image.parts.map(({ name }) => name);
      way.hand.editor = openEditor(image, labels, way.sharing);
      way.hand.wait();
      // What is subtracted is drawn first: the small parts, which lie on the large ones.
      const order =
        way.sharing === 'tracing'
          ? image.parts
          : image.parts.toSorted((a, b) => area(a.truth) - area(b.truth));
      for (const { name, truth } of order)
        way.iou += drawTogether(way.hand, image, name, truth, plans.get(name) ?? [], way.sharing);
      way.hand.press('done-image');
    }
  }
  const figures = ({ hand: { effort }, iou }: { hand: Hand; iou: number }): Figures => ({
    secondsPerPart: secondsOf(effort) / parts,
    actionsPerPart: actionsOf(effort) / parts,
    clicksPerPart: effort.points / parts,
    meanIou: iou / parts,
  });
  const single = figures(alone);
  const [tracing, subtraction] = ways.map(figures) as [Figures, Figures];
  const ratioOf = (way: Figures) => way.secondsPerPart / single.secondsPerPart;
  return {
    ...{ images: images.length, parts, single, tracing, subtraction },
    ratios: { tracing: ratioOf(tracing), subtraction: ratioOf(subtraction) },
  };
}

const generated = measure(generatedImages(Number(options.pictures)));
const photos = options.photos ? measure(await photographedImages(options.photos)) : undefined;
const forms = trueForms(40);
const attributes = {
  keystrokesBefore: median(forms.map(keystrokesBefore)),
  keystrokesAfter: median(forms.map(keystrokes)),
};

if (options.json) {
  const { tracing, subtraction } = (photos ?? generated).ratios;
  const ratio = Math.min(tracing, subtraction);
  console.log(JSON.stringify({ operators: OPERATORS, generated, photos, attributes, ratio }, undefined, 2));
} else {
  for (const [name, result] of Object.entries({ 'Generated images': generated, Photographs: photos })) {
    if (!result) continue;
    console.log(`\n${name}: ${result.images} images, ${result.parts} parts`);
    console.table({
      'single items': rounded(result.single),
      'whole image, borders traced': rounded(result.tracing),
      'whole image, borders subtracted': rounded(result.subtraction),
    });
    const { tracing, subtraction } = result.ratios;
    console.log(
      `Time per part, whole image / single items: ${tracing.toFixed(2)} traced, ${subtraction.toFixed(2)} subtracted (target: at most 0.70)`,
    );
  }
  const { keystrokesBefore: before, keystrokesAfter: after } = attributes;
  console.log(`\nKeystrokes per attribute image, median of ${forms.length}: ${before} before, ${after} now`);
}

function rounded(figures: Figures) {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(2))]));
}
