import { area, boundingBox, encodeCounts, fullMask, isEmpty } from '@/lib/core/mask';
import { encodeLabelPng } from '../codecs/label-png';
import type { PaintLayer } from '../codecs/paint';
import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { excludeUndrawn } from '../shared/check-part-layout';
import { objectMask, partLayers, zOrdersOf } from '../shared/part-layers';
import { schemaFile } from '../shared/vocabulary';
import { jpegFile, numberImages, stemOf, streamJsonArray } from '../shared/write-files';
import type { Layout } from './layout';
import { chooseTaxonomy, type Taxonomy } from './taxonomy';

export function writeLayout(layout: Layout) {
  return async function* write(
    all: Dataset,
    { taxonomy: chosen }: Options,
    pictures: Pictures,
  ): AsyncIterable<FormatFile> {
    const { dataset } = excludeUndrawn(all);
    const taxonomy = chooseTaxonomy(dataset.schema, layout.benchmark, chosen);
    const zOrders = zOrdersOf(dataset.schema);
    yield schemaFile(dataset.schema);
    yield { path: 'classes.json', bytes: () => classesFile(taxonomy) };
    yield* layout.hasInstances ? instanceFiles(dataset, taxonomy) : countFiles(dataset, layout, taxonomy);
    for await (const image of dataset.images()) {
      const stem = stemOf(image.name);
      const folder = layout.folder(image.split);
      const map = (layers: readonly PaintLayer[]) => () => labelMap(image, layers, layout);
      yield jpegFile(`images/${folder}/${stem}.jpg`, image, pictures);
      if (!layout.hasInstances)
        yield {
          path: `annotations_detectron2_obj/${folder}/${stem}.png`,
          bytes: map(objectLayers(image, taxonomy)),
        };
      yield {
        path: `annotations_detectron2_part/${folder}/${stem}.png`,
        bytes: map(partMapLayers(image, taxonomy, zOrders)),
      };
    }
  };
}

/** Which number means what, because the loaders have the lists of the benchmark in their code. */
const classesFile = ({ isBenchmark, classes, parts }: Taxonomy): Uint8Array =>
  new TextEncoder().encode(
    `${JSON.stringify(
      {
        benchmark: isBenchmark,
        classes,
        parts: parts.map(({ className, name }) => `${className}'s ${name}`),
      },
      null,
      1,
    )}\n`,
  );

function objectLayers(image: DatasetImage, taxonomy: Taxonomy): PaintLayer[] {
  return [...image.objects].reverse().flatMap((object) => {
    const value = object.className === null ? undefined : taxonomy.classIndex(object.className);
    const mask = objectMask(object);
    return value === undefined || !mask ? [] : [{ mask, value }];
  });
}

const partMapLayers = (
  image: DatasetImage,
  taxonomy: Taxonomy,
  zOrders: ReadonlyMap<string, number>,
): PaintLayer[] =>
  partLayers(image, zOrders).flatMap(({ object, part: { id, mask } }) => {
    const value = taxonomy.partIndex(object.className ?? '', id);
    return value === undefined ? [] : [{ mask, value }];
  });

function labelMap(image: DatasetImage, layers: readonly PaintLayer[], layout: Layout): Uint8Array {
  const { width, height } = image;
  const ground = { mask: fullMask(height, width), value: layout.ignore };
  return encodeLabelPng([ground, ...layers], width, height, layout.ignore > 255 ? 'grey-16' : 'grey-8');
}

/** The values of each map, which loaders read instead of the maps. */
async function* countFiles(dataset: Dataset, layout: Layout, taxonomy: Taxonomy): AsyncIterable<FormatFile> {
  for (const split of dataset.splits)
    for (const kind of ['obj', 'part'] as const)
      yield {
        path: `annotations_detectron2_part/${layout.folder(split)}_${kind}_label_count.json`,
        chunks: () => counts(dataset, split, kind, taxonomy),
      };
}

async function* counts(dataset: Dataset, split: string, kind: 'obj' | 'part', taxonomy: Taxonomy) {
  const found: Record<string, number[]> = {};
  for await (const image of dataset.images()) {
    if (image.split !== split) continue;
    const values = image.objects.flatMap((object) => {
      const { className } = object;
      if (className === null) return [];
      const whole = objectMask(object);
      if (kind === 'obj') return whole && !isEmpty(whole) ? [taxonomy.classIndex(className)] : [];
      return object.parts
        .filter(({ mask }) => !isEmpty(mask))
        .map(({ id }) => taxonomy.partIndex(className, id));
    });
    found[`${stemOf(image.name)}.png`] = [...new Set(values)]
      .filter((value) => value !== undefined)
      .sort((a, b) => a - b);
  }
  yield `${JSON.stringify(found)}\n`;
}

/** COCO files of the objects, with the parts that each has. */
async function* instanceFiles(dataset: Dataset, taxonomy: Taxonomy): AsyncIterable<FormatFile> {
  const imagesOf = numberImages(dataset, (image) => instancesOf(image, taxonomy).length);
  for (const split of dataset.splits)
    yield {
      path: `ade20k_instance_${split}.json`,
      async *chunks() {
        yield '{"images":';
        yield* streamJsonArray(imageRows(imagesOf(split)));
        yield ',\n"annotations":';
        yield* streamJsonArray(annotationRows(imagesOf(split), taxonomy));
        yield ',\n"categories":';
        yield* streamJsonArray(taxonomy.classes.map((name, id) => ({ id, name, supercategory: '' })));
        yield '}\n';
      },
    };
}

type Numbered = ReturnType<ReturnType<typeof numberImages>>;

async function* imageRows(numbered: Numbered) {
  for await (const { image, imageId: id } of numbered)
    yield { id, file_name: `${stemOf(image.name)}.jpg`, width: image.width, height: image.height };
}

function instancesOf(image: DatasetImage, taxonomy: Taxonomy) {
  return image.objects.flatMap((object) => {
    const category = object.className === null ? undefined : taxonomy.classIndex(object.className);
    const mask = objectMask(object);
    return category === undefined || !mask || isEmpty(mask) ? [] : [{ object, category, mask }];
  });
}

async function* annotationRows(numbered: Numbered, taxonomy: Taxonomy) {
  for await (const { image, imageId, before } of numbered) {
    let id = before;
    for (const { object, category, mask } of instancesOf(image, taxonomy)) {
      id += 1;
      const parts = object.parts.flatMap((part) =>
        isEmpty(part.mask) ? [] : (taxonomy.partIndex(object.className ?? '', part.id) ?? []),
      );
      yield {
        id,
        image_id: imageId,
        category_id: category,
        part_category_id: [...new Set(parts)].sort((a, b) => a - b),
        segmentation: { size: [mask.height, mask.width], counts: encodeCounts(mask) },
        area: area(mask),
        bbox: boundingBox(mask),
        iscrowd: object.outline?.flags?.includes('crowd') ? 1 : 0,
        instance: object.instance,
      };
    }
  }
}
