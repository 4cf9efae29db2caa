/** Writes one export per format and what is true about it, for verify_formats.py: `npx tsx test/verify/write-exports.ts <folder>`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { formats } from '@/lib/core/formats';
import type { Dataset } from '@/lib/core/formats/dataset';
import type { Format } from '@/lib/core/formats/format';
import { encodeCounts, type Mask, scaleByArea } from '@/lib/core/mask';
import type { ScenePreset } from '@/lib/demo/scenes';
import { imagesOf, visibleParts } from '../core/formats/support/dataset-files';
import { sceneDataset, written } from '../support/formats';

/** Formats that hold one dataset only, with what they are given. */
const special: Readonly<Record<string, { preset: ScenePreset; options?: Record<string, unknown> }>> = {
  'apm-part-imagenet': { preset: 'part-imagenet' },
  'part-imagenet': { preset: 'part-imagenet' },
  'part-imagenet-seg': { preset: 'part-imagenet' },
  'apm-cityscapes': { preset: 'cityscapes-parts', options: { crops: false } },
  cityscapes: { preset: 'cityscapes-parts' },
  'cityscapes-panoptic-parts': { preset: 'cityscapes-parts' },
  'apm-pascal-part': { preset: 'pascal-part-grouped' },
  'pascal-part': { preset: 'pascal-part' },
  'pascal-panoptic-parts': { preset: 'pascal-part' },
  rival10: { preset: 'rival10' },
};

const COUNT: Readonly<Record<ScenePreset, number>> = {
  'part-imagenet': 33,
  'cityscapes-parts': 15,
  'pascal-part-grouped': 15,
  'pascal-part': 60,
  rival10: 30,
};

const folder = path.resolve(process.argv[2] ?? 'exports');
const datasets = new Map<ScenePreset, Dataset>();
/** The cuts of the part-model paper without chance, which the verifier computes anew from the whole maps. */
const cuts = { pad: 0.1, 'random-pad': false, 'min-area': 300 };

for (const format of formats) {
  const { preset, options = {} } = special[format.id] ?? { preset: 'part-imagenet' as const };
  await writeExport(format.id, format, preset, options);
}
const cutter = formats.find(({ id }) => id === 'apm-cityscapes') as Format;
await writeExport('apm-cityscapes-cuts', cutter, 'cityscapes-parts', cuts);

async function writeExport(
  name: string,
  format: Format,
  preset: ScenePreset,
  options: Record<string, unknown>,
): Promise<void> {
  const dataset =
    datasets.get(preset) ?? (await sceneDataset(preset, COUNT[preset], { width: 200, height: 150 }));
  datasets.set(preset, dataset);
  for (const [inside, bytes] of await written(format, dataset, options)) {
    const file = path.join(folder, name, inside);
    mkdirSync(inside.endsWith('/') ? file : path.dirname(file), { recursive: true });
    if (!inside.endsWith('/')) writeFileSync(file, bytes);
  }
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(await truthOf(dataset)));
}

async function truthOf(dataset: Dataset) {
  const runs = (mask: Mask) => ({ size: [mask.height, mask.width], counts: encodeCounts(mask) });
  const small = (mask: Mask) => runs(scaleByArea(mask, 224, 224));
  return (await imagesOf(dataset)).map((image) => ({
    stem: image.name.replace(/\.\w+$/, ''),
    split: image.split,
    class: image.className,
    wnid: image.wnid,
    width: image.width,
    height: image.height,
    attributes: image.attributes?.present ?? [],
    attribute_masks: Object.fromEntries(image.attributeMasks.map(({ id, mask }) => [id, small(mask)])),
    objects: image.objects.map(({ className, instance, outline, parts }) => ({
      class: className,
      instance,
      outline: outline && runs(outline.mask),
      small: outline && small(outline.mask),
      parts: Object.fromEntries(parts.map(({ id, mask }) => [id, runs(mask)])),
    })),
    /** One label a pixel: "class instance part" → runs. */
    visible: visibleParts(dataset, image),
  }));
}
