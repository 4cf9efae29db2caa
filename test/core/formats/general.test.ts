import { describe, expect, it } from 'vitest';
import { format as coco } from '@/lib/core/formats/coco';
import { format as panoptic } from '@/lib/core/formats/coco-panoptic';
import { decodePng } from '@/lib/core/formats/codecs/png';
import { format as cvat } from '@/lib/core/formats/cvat';
import type { Dataset, DatasetImage } from '@/lib/core/formats/dataset';
import { format as datumaro } from '@/lib/core/formats/datumaro';
import { format as hfParquet } from '@/lib/core/formats/hf-parquet';
import { openShard, rowsOf } from '@/lib/core/formats/hf-parquet/read';
import { format as labelStudio } from '@/lib/core/formats/label-studio';
import { format as labelme } from '@/lib/core/formats/labelme';
import { format as pngMasks } from '@/lib/core/formats/png-masks';
import { format as voc } from '@/lib/core/formats/voc';
import { format as webdataset } from '@/lib/core/formats/webdataset';
import { format as yolo, format as yoloSeg } from '@/lib/core/formats/yolo-seg';
import { area, boundingBox, encodeCounts, equals, rasterizePolygons } from '@/lib/core/mask';
import { datasetOf, readBack, treeOf, written } from '../../support/formats';
import {
  attributeDataset,
  handmade,
  jsonOf,
  type labelsOf,
  labelsOfDataset,
  labelsOfSource,
  partDataset,
  ringAndDot,
  streetDataset,
  textOf,
  tinyPng,
} from './support/dataset-files';

/** Formats that hold all labels and every pixel. */
const whole = [coco, labelme, cvat, labelStudio, datumaro, hfParquet, webdataset, pngMasks];

describe.each(whole.map((format) => [format.id, format] as const))('%s', (_, format) => {
  it.each([
    ['parts with holes', partDataset],
    ['attributes', attributeDataset],
    ['several objects', streetDataset],
  ])('gives back %s, bit by bit', async (_, make) => {
    const dataset = await make();
    const files = await written(format, dataset);
    const { images, schema, notes } = await readBack(format, files);
    expect(labelsOfSource(images)).toEqual(await labelsOfDataset(dataset));
    expect(schema).toEqual(dataset.schema);
    expect(notes).toEqual([]);
    expect(await written(format, dataset)).toEqual(files);
  });

  it('recognises its own files, and no others do so more surely', async () => {
    const tree = treeOf(await written(format, await partDataset()));
    const own = await format.reader?.detect(tree);
    expect(own?.because).toMatch(/\w{3}/);
    for (const other of whole.filter(({ id }) => id !== format.id)) {
      const guess = await other.reader?.detect(tree);
      expect(`${other.id} ${guess?.certainty ?? 0}`).toBe(`${other.id} 0`);
    }
  });
});

describe('VOC', () => {
  const xml = (name: string) =>
    `<annotation><filename>a.jpg</filename><size><width>4</width><height>3</height></size><object><name>${name}</name></object></annotation>`;

  it('two sets side by side keep their own pictures and splits', async () => {
    const source = await voc.reader?.read(
      handmade({
        '2007/Annotations/a.xml': xml('dog'),
        '2007/JPEGImages/a.jpg': tinyPng,
        '2007/ImageSets/Main/train.txt': 'a',
        '2012/Annotations/a.xml': xml('cat'),
        '2012/JPEGImages/a.jpg': tinyPng,
        '2012/ImageSets/Main/val.txt': 'a',
      }),
    );
    const found = [];
    for await (const { path, split } of source?.images() ?? []) found.push(`${path} ${split}`);
    expect(found).toEqual(['2007/JPEGImages/a.jpg train', '2012/JPEGImages/a.jpg val']);
  });
});

describe('names of splits', () => {
  const folds = async () => {
    const dataset = await partDataset();
    const splits = ['fold-1', 'val'];
    const images: DatasetImage[] = [];
    for await (const image of dataset.images())
      images.push({ ...image, split: splits[images.length % 2] as string });
    return datasetOf(dataset.schema, images, splits);
  };

  it('with a hyphen are such that the datasets library takes them', async () => {
    const dataset = await folds();
    const files = await written(hfParquet, dataset);
    expect([...files.keys()]).toContain('data/fold_1-00000-of-00001.parquet');
    expect(textOf(files, 'README.md')).toContain('- split: "fold_1"');
    expect((await hfParquet.check(dataset, {})).losses.join()).toMatch(/"fold-1" is called "fold_1"/);
  });

  it('without train or val are told before a YOLO export, whose folders are beside data.yaml', async () => {
    const dataset = await folds();
    expect((await yoloSeg.check(dataset, {})).losses.join()).toMatch(/no split "train"/);
    const files = await written(yoloSeg, await partDataset());
    expect(textOf(files, 'data.yaml')).not.toMatch(/^path/m);
  });
});

it('a Parquet file that claims more rows than it has comes to an end', async () => {
  const files = await written(hfParquet, await partDataset());
  const [path = ''] = [...files.keys()].filter((each) => each.endsWith('.parquet'));
  const { file, metadata } = await openShard(treeOf(files), path);
  const [group] = metadata.row_groups;
  const claims = { ...metadata, row_groups: [{ ...group, num_rows: 2n ** 50n } as never] };
  let count = 0;
  const read = async () => {
    for await (const _ of rowsOf(file, claims)) count += 1;
  };
  await read().catch(() => undefined);
  expect(count).toBeLessThan(100);
});

const firstImage = async (dataset: Dataset) => {
  for await (const image of dataset.images()) return image;
  throw new Error('no image');
};

describe('YOLO segmentation', () => {
  it('gives back every mask bit by bit, although each is one polygon', async () => {
    for (const make of [partDataset, streetDataset]) {
      const dataset = await make();
      const { images } = await readBack(yolo, await written(yolo, dataset));
      const masks = async (all: AsyncIterable<Parameters<typeof labelsOf>[0]>) => {
        const found: Record<string, string[]> = {};
        for await (const image of all)
          found[image.name.replace(/\.\w+$/, '')] = image.objects
            .flatMap(({ className, outline, parts }) => [
              ...(outline ? [`${className} ${encodeCounts(outline.mask)}`] : []),
              ...parts.map(({ id, mask }) => `${id} ${encodeCounts(mask)}`),
            ])
            .sort();
        return found;
      };
      async function* each() {
        yield* images;
      }
      expect(await masks(each())).toEqual(await masks(dataset.images()));
    }
  });

  it('numbers classes from 0 without gaps and stays within the picture', async () => {
    const dataset = await partDataset();
    const files = await written(yolo, dataset);
    const numbers = [...textOf(files, 'data.yaml').matchAll(/^ {2}(\d+): /gm)].map(([, id]) => Number(id));
    expect(numbers).toEqual(numbers.map((_, index) => index));
    const { name } = await firstImage(dataset);
    for (const row of textOf(files, `labels/train/${name.replace(/\.\w+$/, '')}.txt`)
      .trim()
      .split('\n')) {
      const [id, ...shares] = row.split(' ').map(Number);
      expect(numbers).toContain(id);
      expect(shares.length % 2).toBe(0);
      expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
    }
  });

  it('says before it writes what is lost', async () => {
    const { losses } = await yolo.check(await partDataset(), {});
    expect(losses.join(' ')).toMatch(/bridges.*Which parts belong.*WordNet/);
  });

  it('reads the layout that has the split above images and labels', async () => {
    const source = await yolo.reader?.read(
      handmade({
        'valid/images/a.png': tinyPng,
        'valid/labels/a.txt': '1 0 0 0.5 0 0.5 0.7\n',
        'data.yaml': "train: ../train/images\nnc: 2\nnames: ['dog', 'cat']\n",
      }),
    );
    for await (const image of source?.images() ?? [])
      expect(image).toMatchObject({ split: 'val', className: 'cat', width: 4, height: 3 });
  });

  it('leaves out rows of unknown classes, of boxes and outside of the picture', async () => {
    const source = await yolo.reader?.read(
      handmade({
        'images/train/a.png': tinyPng,
        'labels/train/a.txt':
          '0 0 0 0.5 0 0.5 0.7\n9 0 0 1 0 1 1\n0 0.5 0.5 0.5 0.5\n0 0 0 1e9 0 1 1\n0 nan\n\n',
        'data.yaml': 'train: images/train\nnames: [dog, cat]\n',
      }),
    );
    const images = [];
    for await (const image of source?.images() ?? []) images.push(image);
    expect(images[0]?.objects).toHaveLength(1);
    expect(source?.notes).toHaveLength(3);
  });
});

describe('PASCAL VOC', () => {
  it('gives back objects and facts; parts keep only their boxes', async () => {
    for (const make of [partDataset, attributeDataset]) {
      const dataset = await make();
      const { images } = await readBack(voc, await written(voc, dataset));
      const expected = await labelsOfDataset(dataset);
      for (const labels of Object.values(expected)) {
        labels.attributeMasks = [];
        for (const object of labels.objects) object.parts = [];
      }
      expect(labelsOfSource(images)).toEqual(expected);
    }
  });

  it('counts corners from 1, both within the box, and paints with the colours of VOC', async () => {
    const dataset = await partDataset();
    const files = await written(voc, dataset);
    const image = await firstImage(dataset);
    const stem = image.name.replace(/\.\w+$/, '');
    const outline = image.objects[0]?.outline?.mask ?? ringAndDot(image.height, image.width);
    const [x, y, width, height] = boundingBox(outline);
    const xml = textOf(files, `Annotations/${stem}.xml`);
    expect(xml).toContain(`<xmin>${x + 1}</xmin>\n\t\t\t<ymin>${y + 1}</ymin>`);
    expect(xml).toContain(`<xmax>${x + width}</xmax>\n\t\t\t<ymax>${y + height}</ymax>`);
    const png = await decodePng(files.get(`SegmentationObject/${stem}.png`) as Uint8Array);
    expect([...(png.palette ?? []).slice(0, 12)]).toEqual([0, 0, 0, 128, 0, 0, 0, 128, 0, 128, 128, 0]);
    expect([...(png.palette ?? []).slice(-3)]).toEqual([224, 224, 192]);
    expect([...png.pixels].filter((value) => value === 1)).toHaveLength(area(outline));
    expect(textOf(files, 'ImageSets/Segmentation/train.txt').split('\n')).toContain(stem);
  });

  it('says how many images have objects that overlap', async () => {
    const { losses } = await voc.check(await streetDataset(), {});
    expect(losses.join(' ')).toMatch(/masks are left out/);
  });
});

describe('COCO panoptic', () => {
  it('gives each pixel to one segment, whose area and box are those of its pixels', async () => {
    const dataset = await streetDataset();
    const files = await written(panoptic, dataset);
    const { annotations } = jsonOf(files, 'annotations/panoptic_train.json');
    for (const { file_name, segments_info } of annotations) {
      const png = await decodePng(files.get(`annotations/panoptic_train/${file_name}`) as Uint8Array);
      expect(png.channels).toBe(3);
      const counts = new Map<number, number>();
      for (let i = 0; i < png.pixels.length; i += 3) {
        const id = (png.pixels[i] as number) + 256 * (png.pixels[i + 1] as number);
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
      counts.delete(0);
      const said = segments_info.map(({ id, area: size }: { id: number; area: number }) => [id, size]);
      expect(new Map(said)).toEqual(counts);
    }
  });

  it('gives back parts that do not overlap, and outlines as far as their parts fill them', async () => {
    const dataset = await partDataset();
    const { images } = await readBack(panoptic, await written(panoptic, dataset));
    for await (const image of dataset.images()) {
      const back = images.find(({ name }) => name === image.name)?.objects[0];
      const outline = image.objects[0]?.outline?.mask;
      expect(back?.className).toBe(image.className);
      // The generated parts tile their object, but for the one that the tests put in.
      if (image.columns.camera === undefined && back?.outline && outline)
        expect(equals(back.outline.mask, outline)).toBe(true);
    }
    expect(await panoptic.reader?.detect(treeOf(await written(panoptic, dataset)))).toMatchObject({
      certainty: 0.95,
    });
  });
});

it('COCO’s rule takes a bridge between rings for nothing', () => {
  const ring = [2, 2, 8, 2, 8, 8, 2, 8, 2, 2, 13, 11, 17, 11, 17, 15, 13, 15, 13, 11, 2, 2];
  expect(area(rasterizePolygons([ring], 20, 20))).toBe(36 + 16);
});
