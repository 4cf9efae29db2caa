import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { area, difference, dilate, fromBitmap, iou, type Mask, merge } from '@/lib/core/mask';
import { generateScene } from '@/lib/demo/scenes';
import { drawCutout, drawFlat } from '@/lib/demo/scenes/draw';
import { tagsOfPart } from '@/lib/demo/scenes/labels';
import type { PlacedLayer } from '@/lib/demo/scenes/placement';
import { planScene } from '@/lib/demo/scenes/plan';
import type { SceneOptions } from '@/lib/demo/scenes/scene';
import { isObject, visibleMasks } from '@/lib/demo/scenes/truth';

const SIZE = { width: 320, height: 256 };
const PRESETS = ['rival10', 'part-imagenet', 'pascal-part', 'cityscapes-parts'] as const;
const OPTIONS: SceneOptions[] = PRESETS.flatMap((preset) =>
  [1, 2, 3, 4, 5].map((seed) => ({ seed, preset, ...SIZE })),
);

/** Pixels of the red channel above the middle, as the renderer paints them. */
async function painted(svg: string, channel: 'red' | 'alpha'): Promise<Mask> {
  const { data, info } = await sharp(Buffer.from(svg))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const offset = channel === 'red' ? 0 : 3;
  const bits = new Uint8Array(info.width * info.height);
  for (let i = 0; i < bits.length; i++) bits[i] = (data[i * 4 + offset] ?? 0) > 127 ? 1 : 0;
  return fromBitmap(bits, info.height, info.width);
}

const flat = (options: SceneOptions, matches: (layer: PlacedLayer) => boolean) =>
  painted(
    drawFlat(planScene(options), (layer) => (matches(layer) ? '#ffffff' : '#000000')),
    'red',
  );

describe('masks agree with what a renderer paints from the same rings', () => {
  it('the object mask covers the pixels of the object and nothing in front of it', async () => {
    for (const options of OPTIONS) {
      const seen = await flat(options, isObject);
      expect(iou(generateScene(options).objectMask, seen), JSON.stringify(options)).toBeGreaterThan(0.99);
    }
  });

  it('every localised attribute and part of a fair size is covered to 0.98', async () => {
    for (const options of OPTIONS) {
      const scene = generateScene(options);
      const { schema } = planScene(options);
      const targets: Array<[string, Mask, readonly string[]]> = [
        ...Object.entries(scene.attributeMasks).map(([id, mask]): [string, Mask, readonly string[]] => [
          id,
          mask,
          [id],
        ]),
        ...schema.parts
          .filter((part) => part.classes.includes(scene.className))
          .flatMap((part): Array<[string, Mask, readonly string[]]> => {
            const mask = scene.instances?.at(-1)?.partMasks[part.id] ?? scene.partMasks[part.id];
            return mask ? [[part.id, mask, tagsOfPart(part)]] : [];
          }),
      ];
      const main = scene.instances?.at(-1)?.id ?? 0;
      for (const [id, mask, tags] of targets) {
        // On a part of 400 pixels a rim of half a pixel is already several per cent.
        if (area(mask) < 1500) continue;
        const seen = await flat(
          options,
          (layer) => layer.instance === main && layer.tags.some((tag) => tags.includes(tag)),
        );
        expect(iou(mask, seen), `${options.preset} ${options.seed} ${id}`).toBeGreaterThan(0.98);
      }
    }
  });

  it('no highlight, fur stroke or letter spills more than a pixel beyond the layers it decorates', async () => {
    for (const options of OPTIONS) {
      const plan = planScene(options);
      const claimed = merge(visibleMasks(plan.layers, plan.height, plan.width));
      const seen = await painted(drawCutout(plan), 'alpha');
      expect(area(difference(seen, dilate(claimed, 1))), JSON.stringify(options)).toBe(0);
      expect(area(difference(claimed, dilate(seen, 1))), JSON.stringify(options)).toBe(0);
    }
  });
});
