import { beforeAll, describe, expect, it } from 'vitest';
import { format as cityscapes } from '@/lib/core/formats/cityscapes';
import { drawRegions } from '@/lib/core/formats/cityscapes/polygons';
import { format as panoptic } from '@/lib/core/formats/cityscapes-panoptic-parts';
import { decodePng } from '@/lib/core/formats/codecs/png';
import { decodeTiff } from '@/lib/core/formats/codecs/tiff';
import type { Dataset } from '@/lib/core/formats/dataset';
import { decodeUid } from '@/lib/core/formats/shared/panoptic-parts';
import { fromBitmap, toBitmap } from '@/lib/core/mask';
import { readBack, sceneDataset, written } from '../../support/formats';
import { byStem, imagesOf, partsRead, visibleParts } from './support/dataset-files';

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);
const nameless = (parts: Record<string, string>) =>
  Object.entries(parts)
    .map(([key, counts]) => `${key.replace(/ \d+ /, ' ')} ${counts}`)
    .sort();

let dataset: Dataset;
beforeAll(async () => {
  dataset = await sceneDataset('cityscapes-parts', 6, { width: 240, height: 120 });
});

describe('Cityscapes', () => {
  it('writes the five files of an image where tools look for them, and maps that agree', async () => {
    const files = await written(cityscapes, dataset);
    const [image] = await imagesOf(dataset);
    const core = image?.name.replace('.png', '');
    const base = `gtFine/${image?.split}/aachen/${core}_gtFine_`;
    expect(files.has(`leftImg8bit/${image?.split}/aachen/${core}_leftImg8bit.png`)).toBe(true);
    const ids = await decodePng(files.get(`${base}labelIds.png`) as Uint8Array);
    const instances = await decodePng(files.get(`${base}instanceIds.png`) as Uint8Array);
    const colours = await decodePng(files.get(`${base}color.png`) as Uint8Array);
    expect([ids.depth, instances.depth, colours.channels]).toEqual([8, 16, 4]);
    instances.pixels.forEach((value, i) => {
      if (value > 0) expect(Math.floor(value / 1000)).toBe(ids.pixels[i]);
    });
    // Each class is counted from 0.
    const seen = [...new Set(instances.pixels)].filter((value) => value > 0);
    for (const id of new Set(seen.map((value) => Math.floor(value / 1000))))
      expect(seen).toContain(id * 1000);
    const car = ids.pixels.indexOf(26);
    if (car >= 0) expect([...colours.pixels.subarray(4 * car, 4 * car + 4)]).toEqual([0, 0, 142, 255]);
  });

  it('writes polygons that an inclusive fill turns into the same label ids', async () => {
    const files = await written(cityscapes, dataset);
    for (const [path, bytes] of files) {
      if (!path.endsWith('_polygons.json')) continue;
      const { imgWidth, imgHeight, objects } = JSON.parse(text(bytes));
      const ids = await decodePng(files.get(path.replace('polygons.json', 'labelIds.png')) as Uint8Array);
      const table: Record<string, number> = {
        unlabeled: 0,
        person: 24,
        rider: 25,
        car: 26,
        truck: 27,
        bus: 28,
      };
      const painted = new Uint8Array(imgWidth * imgHeight);
      for (const { label, polygon } of objects)
        inclusiveFill(polygon, imgWidth, imgHeight, (i) => {
          painted[i] = table[label] as number;
        });
      expect(Buffer.compare(painted, ids.pixels as Uint8Array)).toBe(0);
    }
  });

  const side = 24;
  const at = (test: (x: number, y: number) => boolean) =>
    fromBitmap(
      Uint8Array.from({ length: side * side }, (_, i) => (test(i % side, Math.floor(i / side)) ? 1 : 0)),
      side,
      side,
    );
  const within = (x: number, y: number, low: number, high: number) =>
    x > low && x < high && y > low && y < high;
  const paint = (regions: Parameters<typeof drawRegions>[0]) => {
    const { polygons, order, splitCount } = drawRegions(regions, side, side);
    const labels = regions.map(({ label }) => label);
    const painted = new Uint8Array(side * side);
    for (const { label, polygon } of polygons)
      inclusiveFill(polygon, side, side, (i) => {
        painted[i] = labels.indexOf(label) + 1;
      });
    const expected = new Uint8Array(side * side);
    regions.forEach(({ mask }, index) => {
      toBitmap(mask).forEach((bit, i) => {
        if (bit) expected[i] = index + 1;
      });
    });
    return { polygons, order, splitCount, painted, expected };
  };

  it('draws an object in several pieces with a hole as one polygon that leaves no trace', () => {
    const ring = at((x, y) => within(x, y, 0, 10) && !within(x, y, 3, 7));
    const pieces = at((x, y) => within(x, y, 14, 18) || (x > 18 && y < 3));
    const car = fromBitmap(
      toBitmap(ring).map((bit, i) => bit || (toBitmap(pieces)[i] as number)),
      side,
      side,
    );
    const bus = at((x, y) => within(x, y, 10, 14) || within(x, y, 18, 23));
    const road = at((x, y) => x > 18 && y > 4 && y < 12);
    const { polygons, painted, expected, splitCount } = paint([
      { label: 'car', mask: car, isCounted: true },
      { label: 'bus', mask: bus, isCounted: true },
      { label: 'road', mask: road, isCounted: false },
    ]);
    expect(painted).toEqual(expected);
    expect(splitCount).toBe(0);
    expect(polygons.filter(({ label }) => label === 'car')).toHaveLength(1);
    expect(polygons.filter(({ label }) => label === 'bus')).toHaveLength(1);
  });

  it('counts objects that enclose each other’s pieces', () => {
    const shell = (low: number, high: number) =>
      at((x, y) => within(x, y, low, high) && !within(x, y, low + 2, high - 2));
    const both = (a: ReturnType<typeof at>, b: ReturnType<typeof at>) =>
      fromBitmap(
        toBitmap(a).map((bit, i) => bit || (toBitmap(b)[i] as number)),
        side,
        side,
      );
    const { painted, expected, splitCount } = paint([
      { label: 'car', mask: both(shell(0, 23), shell(8, 15)), isCounted: true },
      { label: 'bus', mask: shell(4, 19), isCounted: true },
    ]);
    expect(painted).toEqual(expected);
    expect(splitCount).toBe(0);
    const stuck = paint([
      { label: 'car', mask: both(shell(2, 21), shell(10, 13)), isCounted: true },
      {
        label: 'bus',
        mask: both(
          shell(6, 17),
          at((x, y) => x === 0 && y === 0),
        ),
        isCounted: true,
      },
    ]);
    expect(stuck.painted).toEqual(stuck.expected);
    expect(stuck.splitCount).toBe(1);
  });

  it('reads outlines of instances back', async () => {
    const { images } = await readBack(cityscapes, await written(cityscapes, dataset));
    expect(images).toHaveLength(6);
    const read = byStem(images);
    for (const image of await imagesOf(dataset))
      expect(read.get(image.name.replace('.png', ''))).toMatchObject({
        split: image.split,
        groupKey: 'aachen',
      });
  });

  it('refuses names that its tools cannot take apart, and takes images by number', async () => {
    const renamed = await sceneDataset('cityscapes-parts', 3, {
      change: (image, index) => ({ ...image, name: `my_${index}.jpg`, groupKey: 'bad_town' }),
    });
    const { refusals } = await cityscapes.check(renamed, {});
    expect(refusals[0]?.what).toContain('aachen_000001_000019');
    expect(refusals[0]?.count).toBe(3);
    const files = await written(panoptic, renamed, { names: 'number' });
    expect([...files.keys()].find((path) => path.endsWith('.tif'))).toMatch(/badtown_00000\d_000000_gtFine/);
  });
});

describe('Cityscapes Panoptic Parts', () => {
  it('holds class, instance and part of each pixel, instances from 1, and reads back', async () => {
    const files = await written(panoptic, dataset);
    const read = byStem((await readBack(panoptic, files)).images);
    for (const image of await imagesOf(dataset)) {
      const core = image.name.replace('.png', '');
      const path = `gtFinePanopticParts/${image.split}/aachen/${core}_gtFinePanopticParts.tif`;
      const { pixels } = await decodeTiff(files.get(path) as Uint8Array);
      for (const value of new Set(pixels)) if (value !== 0) expect(decodeUid(value).iid).toBeGreaterThan(0);
      expect(nameless(partsRead(read.get(core) as never))).toEqual(nameless(visibleParts(dataset, image)));
    }
    const spec = text(files.get('cpp_datasetspec.yaml'));
    expect(spec).toContain('"person": ["torso", "head", "arm", "leg"]');
    const classes = spec
      .slice(spec.indexOf('part_classes:'), spec.indexOf('scene_classes_with'))
      .split('\n')
      .slice(1, -1);
    expect(classes).toHaveLength(34);
    expect(classes[23]).toContain('person');
  });
});

/**
 * Fills a polygon of whole coordinates with its border, as Cityscapes' tools do through Pillow: a pixel counts when its
 * middle is inside or on the border. Edges must be level or upright.
 */
function inclusiveFill(
  polygon: readonly (readonly [number, number])[],
  width: number,
  height: number,
  paint: (index: number) => void,
): void {
  const crossings = Array.from({ length: height }, (): number[] => []);
  polygon.forEach(([x, y], i) => {
    const [nextX, nextY] = polygon[(i + 1) % polygon.length] as readonly [number, number];
    for (let py = Math.min(y, nextY); py <= Math.max(y, nextY); py++)
      for (let px = Math.min(x, nextX); px <= Math.max(x, nextX); px++) paint(py * width + px);
    if (x === nextX) for (let py = Math.min(y, nextY); py < Math.max(y, nextY); py++) crossings[py]?.push(x);
  });
  crossings.forEach((xs, y) => {
    xs.sort((a, b) => a - b);
    for (let i = 0; i + 1 < xs.length; i += 2)
      for (let x = xs[i] as number; x <= (xs[i + 1] as number); x++) paint(y * width + x);
  });
}
