import { parquetReadObjects } from 'hyparquet';
import { fromBase64 } from '@/lib/core/formats/codecs/bytes';
import { readCsv } from '@/lib/core/formats/codecs/csv';
import { decodePng } from '@/lib/core/formats/codecs/png';
import { readTar } from '@/lib/core/formats/codecs/tar';
import { readXml, type XmlEvent } from '@/lib/core/formats/codecs/xml';
import { decodeCounts, fromBitmap, type Mask, rasterizeBox } from '@/lib/core/mask';
import { bytesAt, type Files, glob, jsonAt, lines, require, textAt } from './files';
import { numberOf, regionsOf, type Seen } from './seen';

const [WIDTH, HEIGHT] = [48, 36];

interface Element {
  name: string;
  attributes: Readonly<Record<string, string>>;
  text: string;
  children: Element[];
}

/** The tree of an XML file, as ElementTree gives it. */
export function parseXml(source: string): Element {
  const root: Element = { name: '', attributes: {}, text: '', children: [] };
  const open = [root];
  for (const event of readXml(source) as Iterable<XmlEvent>) {
    const parent = open.at(-1) as Element;
    if (event.kind === 'open') {
      const element = { name: event.name, attributes: event.attributes, text: '', children: [] };
      parent.children.push(element);
      open.push(element);
    } else if (event.kind === 'close') open.pop();
    else parent.text += event.text;
  }
  return root.children[0] as Element;
}

const findAll = ({ children }: Element, name: string) => children.filter((child) => child.name === name);
const textIn = (element: Element, name: string) => findAll(element, name)[0]?.text ?? '';

/** torchvision's VOCSegmentation opens the map of every listed image; VOCDetection reads the boxes. */
export async function voc(files: Files): Promise<Seen[]> {
  const seen: Seen[] = [];
  const classes = lines(textAt(files, 'labelmap.txt'))
    // A heading and the background come first.
    .slice(2)
    .map((line) => line.split(':')[0] ?? '');
  const splits = ['train', 'val', 'test'];
  require(lines(textAt(files, 'ImageSets/Segmentation/trainval.txt')).length > 0, 'trainval');
  for (const split of splits)
    for (const stem of lines(textAt(files, `ImageSets/Main/${split}.txt`))) {
      bytesAt(files, `JPEGImages/${stem}.jpg`);
      const xml = parseXml(textAt(files, `Annotations/${stem}.xml`));
      const objects = findAll(xml, 'object');
      const isListed = lines(textAt(files, `ImageSets/Segmentation/${split}.txt`)).includes(stem);
      require(isListed === (textIn(xml, 'segmented') === '1'), 'segmented');
      const image = numberOf(stem);
      if (isListed) {
        const byClass = await decodePng(bytesAt(files, `SegmentationClass/${stem}.png`));
        const byObject = await decodePng(bytesAt(files, `SegmentationObject/${stem}.png`));
        for (const { value, mask } of regionsOf(byObject.pixels, WIDTH, HEIGHT, 0)) {
          const at = byObject.pixels.indexOf(value);
          const label = value === 255 ? 'void' : (classes[(byClass.pixels[at] as number) - 1] ?? '?');
          const object = objects[value - 1];
          require(value === 255 || (object && textIn(object, 'name') === label), 'class of an object');
          const flags = object
            ? ['truncated', 'occluded', 'difficult'].filter((flag) => textIn(object, flag) === '1')
            : [];
          seen.push({
            image,
            label,
            mask,
            flags: flags.map((flag) => (flag === 'difficult' ? 'crowd' : flag)),
          });
        }
      }
      for (const object of objects)
        for (const part of findAll(object, 'part')) {
          const [box] = findAll(part, 'bndbox');
          const [left, top, right, bottom] = ['xmin', 'ymin', 'xmax', 'ymax'].map((side) =>
            Number(textIn(box as Element, side)),
          ) as [number, number, number, number];
          const mask = rasterizeBox([left - 1, top - 1, right - left + 1, bottom - top + 1], HEIGHT, WIDTH);
          seen.push({ image, label: `${textIn(part, 'name')} box`, mask });
        }
    }
  return seen;
}

const pasted = (bits: ArrayLike<number>, left: number, top: number, width: number, height: number): Mask => {
  const pixels = new Uint8Array(WIDTH * HEIGHT);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) pixels[(top + y) * WIDTH + left + x] = bits[y * width + x] ? 1 : 0;
  return fromBitmap(pixels, HEIGHT, WIDTH);
};

/** LabelMe: masks as cut-out PNGs between two corner points. */
export async function labelme(files: Files): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const path of glob(files, /^(train|val|test)\/.*\.json$/)) {
    const { shapes, imagePath, imageWidth, imageHeight } = jsonAt(files, path);
    bytesAt(files, path.replace(/[^/]+$/, imagePath));
    require(imageWidth === WIDTH && imageHeight === HEIGHT, 'size');
    for (const { label, points, shape_type, flags, mask } of shapes) {
      require(shape_type === 'mask', 'shape type');
      const [[left, top], [right, bottom]] = points;
      const png = await decodePng(fromBase64(mask));
      require(png.width === right - left + 1 && png.height === bottom - top + 1, 'crop');
      seen.push({
        image: numberOf(imagePath),
        label,
        mask: pasted(png.pixels, left, top, png.width, png.height),
        flags: Object.keys(flags).filter((flag) => flags[flag]),
      });
    }
  }
  return seen;
}

/** CVAT for images, with the checks of Datumaro's importer: a subset element per split, images where they belong. */
export async function cvat(files: Files): Promise<Seen[]> {
  const root = parseXml(textAt(files, 'annotations.xml'));
  const [project] = findAll(findAll(root, 'meta')[0] as Element, 'project');
  require(project, '<meta> → <project>');
  const subsets = findAll(project, 'subset').map(({ text }) => text);
  require(subsets.length > 0, 'DatasetImportError: CVAT XML should include <subset> tags.');
  const labels = findAll(findAll(project, 'labels')[0] as Element, 'label');
  const declared = new Map(
    labels.map((label) => [
      textIn(label, 'name'),
      findAll(findAll(label, 'attributes')[0] as Element, 'attribute').map((each) => textIn(each, 'name')),
    ]),
  );
  return findAll(root, 'image').flatMap((image) => {
    const { name = '', subset = '' } = image.attributes;
    require(subsets.includes(subset), 'subset');
    bytesAt(files, `images/${subset}/${name}`);
    return findAll(image, 'mask').map((shape): Seen => {
      const { label = '', rle = '', occluded, left, top, width, height } = shape.attributes;
      const bits: number[] = [];
      for (const [index, run] of rle.split(',').map(Number).entries())
        for (let i = 0; i < run; i++) bits.push(index % 2);
      require(bits.length === Number(width) * Number(height), 'runs');
      const attributes = findAll(shape, 'attribute');
      for (const each of attributes)
        require(declared.get(label)?.includes(each.attributes.name ?? ''), 'undeclared attribute');
      return {
        image: numberOf(name),
        label,
        mask: pasted(bits, Number(left), Number(top), Number(width), Number(height)),
        flags: [
          ...(occluded === '1' ? ['occluded'] : []),
          ...attributes.filter(({ text }) => text === 'true').map((each) => each.attributes.name ?? ''),
        ],
      };
    });
  });
}

/** Label Studio's brushes: RGBA samples packed by thi.ng's rle-pack. */
function unpackBrush(bytes: readonly number[]): Uint8Array {
  let at = 0;
  const take = (count: number) => {
    let value = 0;
    for (let i = 0; i < count; i++, at++)
      value = value * 2 + (((bytes[at >> 3] as number) >> (7 - (at & 7))) & 1);
    return value;
  };
  const total = take(32);
  const word = take(5) + 1;
  const lengths = [0, 1, 2, 3].map(() => take(4) + 1);
  const out = new Uint8Array(total);
  for (let i = 0; i < total; ) {
    const isRun = take(1);
    const end = i + 1 + take(lengths[take(2)] as number);
    if (isRun) out.fill(take(word), i, end);
    else for (let k = i; k < end; k++) out[k] = take(word);
    i = end;
  }
  return out;
}

export async function labelStudio(files: Files): Promise<Seen[]> {
  const config = textAt(files, 'labeling-config.xml');
  const seen: Seen[] = [];
  for (const { data, annotations } of jsonAt(files, 'tasks.json')) {
    const image = decodeURIComponent(data.image.replace('/data/local-files/?d=', ''));
    bytesAt(files, image);
    for (const { type, value, from_name, flags } of annotations[0].result) {
      require(config.includes(`name="${from_name}"`), 'from_name');
      if (type !== 'brushlabels') continue;
      const [label] = value.brushlabels;
      require(config.includes(`value="${label}"`), 'label');
      const alpha = unpackBrush(value.rle).filter((_, i) => i % 4 === 3);
      const mask = fromBitmap(
        alpha.map((sample) => (sample > 0 ? 1 : 0)),
        HEIGHT,
        WIDTH,
      );
      seen.push({ image: numberOf(image), label, mask, flags: flags ?? [] });
    }
  }
  return seen;
}

/** Datumaro's own format. */
export async function datumaro(files: Files): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const path of glob(files, /^annotations\/.*\.json$/)) {
    const { dm_format_version, categories, items } = jsonAt(files, path);
    require(dm_format_version === '1.0', 'version');
    const subset = path.replace(/^annotations\/|\.json$/g, '');
    for (const { image, annotations } of items) {
      bytesAt(files, `images/${subset}/${image.path}`);
      for (const { type, label_id, rle, attributes } of annotations) {
        if (type !== 'mask') continue;
        require(String(rle.size) === `${HEIGHT},${WIDTH}`, 'size');
        seen.push({
          image: numberOf(image.path),
          label: categories.label.labels[label_id].name,
          mask: decodeCounts(rle.counts, HEIGHT, WIDTH),
          flags: [
            ...(attributes.is_crowd ? ['crowd'] : []),
            ...['occluded', 'truncated'].filter((flag) => attributes[flag]),
          ],
        });
      }
    }
  }
  return seen;
}

interface RecordMask {
  label: string;
  size: number[];
  counts: string;
  flags: string[] | null;
}

const recordMasks = (name: string, masks: readonly RecordMask[]): Seen[] =>
  masks.map(({ label, size, counts, flags }) => ({
    image: numberOf(name),
    label,
    mask: decodeCounts(counts, Number(size[0]), Number(size[1])),
    flags: flags ?? [],
  }));

/** The datasets library: one file per split under data/, pictures as bytes and path. */
export async function parquet(files: Files): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const path of glob(files, /^data\/(train|val|test)-\d{5}-of-\d{5}\.parquet$/)) {
    const bytes = bytesAt(files, path);
    const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
    for (const { image, masks } of rows as { image: { path: string }; masks: RecordMask[] }[])
      seen.push(...recordMasks(image.path, masks));
  }
  return seen;
}

/** webdataset: consecutive members with the same key up to the first dot. */
export async function webdataset(files: Files): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const path of glob(files, /\.tar$/))
    for (const { name, bytes } of readTar(bytesAt(files, path))) {
      const key = name.slice(0, name.indexOf('.'));
      if (name.endsWith('.json'))
        seen.push(...recordMasks(`${key}.jpg`, JSON.parse(new TextDecoder().decode(bytes)).masks));
    }
  return seen;
}

/** A table of PNG files. */
export async function pngMasks(files: Files): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const { image = '', mask = '', label = '', flags = '' } of readCsv(textAt(files, 'masks.csv'))) {
    bytesAt(files, image);
    const png = await decodePng(bytesAt(files, mask));
    seen.push({
      image: numberOf(image),
      label,
      mask: fromBitmap(
        Uint8Array.from(png.pixels, (value) => (value ? 1 : 0)),
        HEIGHT,
        WIDTH,
      ),
      flags: flags === '' ? [] : flags.split(';'),
    });
  }
  return seen;
}
