/**
 * Simulated hands: seconds and actions until every part of an image is drawn, part by part on pages of their own and on
 * one canvas, by the real editor in one run.
 *
 *   npm run bench:hands -- [--pictures 22] [--photos folder] [--json]
 */
import { parseArgs } from 'node:util';
import { drawAlone, drawTogether, openEditor, planOf } from './draw';
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

const { values: options } = parseArgs({
  options: {
    pictures: { type: 'string', default: '22' },
    photos: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

type Figures = { secondsPerPart: number; actionsPerPart: number; clicksPerPart: number; meanIou: number };

function measure(images: readonly PartsImage[]) {
  const sums = { alone: { iou: 0 }, together: { iou: 0 } };
  const alone = new Hand(openEditor({ name: '', width: 1, height: 1, parts: [] }, ['']));
  const together = new Hand(alone.editor);
  let parts = 0;
  for (const image of images) {
    together.editor = openEditor(
      image,
      image.parts.map(({ name }) => name),
    );
    together.wait();
    for (const { name, truth } of image.parts) {
      const plan = planOf(truth);
      parts++;
      sums.alone.iou += drawAlone(alone, image, name, plan);
      sums.together.iou += drawTogether(together, image, name, plan);
    }
    together.press('done-image');
  }
  const figures = ({ effort }: Hand, { iou }: { iou: number }): Figures => ({
    secondsPerPart: secondsOf(effort) / parts,
    actionsPerPart: actionsOf(effort) / parts,
    clicksPerPart: effort.points / parts,
    meanIou: iou / parts,
  });
  const single = figures(alone, sums.alone);
  const whole = figures(together, sums.together);
  return { images: images.length, parts, single, whole, ratio: whole.secondsPerPart / single.secondsPerPart };
}

const generated = measure(generatedImages(Number(options.pictures)));
const photos = options.photos ? measure(await photographedImages(options.photos)) : undefined;
const forms = trueForms(40);
const attributes = {
  keystrokesBefore: median(forms.map(keystrokesBefore)),
  keystrokesAfter: median(forms.map(keystrokes)),
};

if (options.json) {
  const { ratio } = photos ?? generated;
  console.log(JSON.stringify({ operators: OPERATORS, generated, photos, attributes, ratio }, undefined, 2));
} else {
  for (const [name, result] of Object.entries({ 'Generated images': generated, Photographs: photos })) {
    if (!result) continue;
    console.log(`\n${name}: ${result.images} images, ${result.parts} parts`);
    console.table({ 'single items': rounded(result.single), 'whole image': rounded(result.whole) });
    console.log(
      `Time per part, whole image / single items: ${result.ratio.toFixed(2)} (target: at most 0.70)`,
    );
  }
  const { keystrokesBefore: before, keystrokesAfter: after } = attributes;
  console.log(`\nKeystrokes per attribute image, median of ${forms.length}: ${before} before, ${after} now`);
}

function rounded(figures: Figures) {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(2))]));
}
