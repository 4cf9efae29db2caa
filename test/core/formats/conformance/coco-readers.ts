import { decodePng } from '@/lib/core/formats/codecs/png';
import {
  area,
  boundingBox,
  decodeCounts,
  fromCounts,
  type Mask,
  merge,
  rasterizePolygons,
} from '@/lib/core/mask';
import { bytesAt, type Files, glob, jsonAt, require, textAt } from './files';
import { numberOf, regionsOf, type Seen } from './seen';

// biome-ignore lint/suspicious/noExplicitAny: rows of JSON as pycocotools reads them.
type Row = any;

/** Keys that the format defines; `attributes` is that of CVAT and Datumaro. */
const KEYS = ['id', 'image_id', 'category_id', 'segmentation', 'area', 'bbox', 'iscrowd', 'attributes'];

/** annToMask of pycocotools: polygons are united, runs are lists or strings. */
export function annToMask({ segmentation }: Row, { height, width }: Row): Mask {
  if (Array.isArray(segmentation)) {
    require(segmentation.length > 0, 'IndexError: no polygon');
    for (const ring of segmentation)
      require(ring.length >= 6 && ring.length % 2 === 0, 'a polygon needs three points');
    return merge(segmentation.map((ring: number[]) => rasterizePolygons([ring], height, width)));
  }
  require(segmentation.size[0] === height && segmentation.size[1] === width, 'runs of another size');
  return typeof segmentation.counts === 'string'
    ? decodeCounts(segmentation.counts, height, width)
    : fromCounts(segmentation.counts, height, width);
}

/** pycocotools, torchvision and detectron2; detectron2 and many others accept polygons only, except for crowds. */
export async function coco(files: Files): Promise<Seen[]> {
  const seen: Seen[] = [];
  const ids = new Set<number>();
  for (const path of glob(files, /^annotations\/instances_[^/]+\.json$/)) {
    const split = /instances_(.+)\.json/.exec(path)?.[1];
    const { images, annotations, categories } = jsonAt(files, path);
    const names = new Map(categories.map(({ id, name }: Row) => [id, name]));
    require(!names.has(0), 'Datumaro reads category 0 as no category');
    for (const { supercategory } of categories) require(supercategory !== '', 'empty supercategory');
    const byId = new Map(images.map((image: Row) => [image.id, image]));
    // Datumaro requires the folder `images` beside `annotations`.
    for (const { file_name } of images) bytesAt(files, `images/${split}/${file_name}`);
    for (const annotation of annotations) {
      require(Object.keys(annotation).every((key) => KEYS.includes(key)), 'private keys');
      require(!ids.has(annotation.id), 'ids repeat');
      ids.add(annotation.id);
      require(annotation.iscrowd === 0 || annotation.iscrowd === 1, 'iscrowd is a number');
      require(annotation.iscrowd === 1 || Array.isArray(annotation.segmentation), 'polygons only');
      const image = byId.get(annotation.image_id) as Row;
      const mask = annToMask(annotation, image);
      require(area(mask) === annotation.area, 'area');
      require(String(boundingBox(mask)) === String(annotation.bbox), 'bbox');
      const { attributes } = annotation;
      seen.push({
        image: numberOf(image.file_name),
        label: names.get(annotation.category_id) as string,
        mask,
        flags: [
          ...(annotation.iscrowd ? ['crowd'] : []),
          ...(attributes.occluded ? ['occluded'] : []),
          ...(attributes.truncated ? ['truncated'] : []),
        ],
      });
    }
  }
  return seen;
}

/** panopticapi: every id in the map is a segment, every segment is in the map, areas agree. */
export async function cocoPanoptic(files: Files): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const path of glob(files, /^annotations\/panoptic_[^/]+\.json$/)) {
    const split = /panoptic_(.+)\.json/.exec(path)?.[1];
    const { images, annotations, categories } = jsonAt(files, path);
    const byId = new Map(categories.map((category: Row) => [category.id, category]));
    for (const { file_name } of images) bytesAt(files, `images/${split}/${file_name}`);
    for (const { image_id, file_name, segments_info } of annotations) {
      require(images.some(({ id }: Row) => id === image_id), 'image');
      const png = await decodePng(bytesAt(files, `annotations/panoptic_${split}/${file_name}`));
      const ids = Array.from(
        { length: png.width * png.height },
        (_, i) =>
          (png.pixels[3 * i] as number) +
          256 * (png.pixels[3 * i + 1] as number) +
          65_536 * (png.pixels[3 * i + 2] as number),
      );
      const regions = regionsOf(ids, png.width, png.height, 0);
      require(regions.length === segments_info.length, 'segments and map differ');
      for (const { value, mask } of regions) {
        const segment = segments_info.find(({ id }: Row) => id === value);
        require(segment, 'KeyError: segment');
        require(segment.area === area(mask), 'area');
        const category = byId.get(segment.category_id) as Row;
        require(category.name !== 'road' || category.isthing === 0, 'stuff is no thing');
        require(category.name === 'road' || category.isthing === 1, 'a thing is no stuff');
        seen.push({
          image: numberOf(file_name),
          label: category.name,
          mask,
          flags: segment.iscrowd ? ['crowd'] : [],
        });
      }
    }
  }
  return seen;
}

/** The Part-ImageNet release and the code that prepares it: names with one underscore, polygons only. */
export async function partImageNet(files: Files): Promise<Seen[]> {
  return ['train', 'val', 'test'].flatMap((split) => readRelease(files, `${split}.json`, true));
}

export function readRelease(files: Files, path: string, isInFolders: boolean): Seen[] {
  const { images, annotations, categories } = jsonAt(files, path);
  const byId = new Map<number, Row>(images.map((image: Row) => [image.id, image]));
  const names = new Map(categories.map(({ id, name }: Row) => [id, name]));
  require(String([...names.keys()]) === String([...names.keys()].map((_, index) => index)), 'ids from 0');
  for (const { file_name } of images) {
    require(/^n\d{8}_[^_.]+\.JPEG$/.test(file_name), `the name ${file_name}`);
    if (isInFolders) bytesAt(files, `${path.replace('.json', '')}/${file_name.slice(0, 9)}/${file_name}`);
  }
  return annotations.map((annotation: Row) => {
    require(Array.isArray(annotation.segmentation), 'polygons only');
    const image = byId.get(annotation.image_id);
    const mask = annToMask(annotation, image);
    require(annotation.area === area(mask) && annotation.area > 0, 'area');
    return { image: numberOf(image.file_name), label: names.get(annotation.category_id), mask };
  });
}

/** PartImageNet_Seg: maps of parts and of whole objects beside the COCO files. */
export async function partImageNetSeg(files: Files): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const split of ['train', 'val', 'test']) {
    seen.push(...readRelease(files, `annotations/${split}/${split}.json`, false));
    const { categories } = jsonAt(files, `annotations/${split}/${split}.json`);
    const wholes = jsonAt(files, `annotations/${split}_whole/${split}.json`).categories;
    for (const path of glob(files, new RegExp(`^images/${split}/[^/]+\\.JPEG$`))) {
      const stem = path.replace(/^.*\/|\.JPEG$/g, '');
      const { imgHeight, imgWidth } = jsonAt(files, `annotations/${split}/${stem}.json`);
      const maps = [
        {
          folder: split,
          background: categories.length,
          nameOf: (value: number) => `map ${categories[value].name}`,
        },
        { folder: `${split}_whole`, background: wholes.length, nameOf: () => 'whole' },
      ];
      for (const { folder, background, nameOf } of maps) {
        const png = await decodePng(bytesAt(files, `annotations/${folder}/${stem}.png`));
        require(png.width === imgWidth && png.height === imgHeight && png.channels === 1, 'map');
        for (const { value, mask } of regionsOf(png.pixels, png.width, png.height, background))
          if (value !== 255) seen.push({ image: numberOf(stem), label: nameOf(value), mask });
      }
    }
  }
  return seen;
}

/** Ultralytics: a row is a class and one polygon in shares of the sides. */
export async function yolo(files: Files): Promise<Seen[]> {
  const yaml = textAt(files, 'data.yaml');
  const names = new Map(
    [...yaml.matchAll(/^ +(\d+): "?([^"\n]+)"?$/gm)].map(([, id, name]) => [Number(id), name]),
  );
  const seen: Seen[] = [];
  for (const path of glob(files, /^images\/.*\.jpg$/)) {
    const text = textAt(files, path.replace(/^images/, 'labels').replace(/\.jpg$/, '.txt'));
    for (const line of text.split('\n').filter((row) => row !== '')) {
      const [id, ...shares] = line.split(' ').map(Number);
      require(shares.length >= 6 && shares.every((share) => share >= 0 && share <= 1), 'polygon');
      const ring = shares.map((share, i) => Math.round(share * (i % 2 === 0 ? 48 : 36)));
      seen.push({
        image: numberOf(path),
        label: names.get(id as number) ?? '?',
        mask: rasterizePolygons([ring], 36, 48),
      });
    }
  }
  return seen;
}
