import { area, boundingBox, encodeCounts, type Mask } from '@/lib/core/mask';
import type { DatasetSchema } from '@/lib/core/schema/types';
import type { Dataset, DatasetImage, DrawnLabel, ObjectLabel } from '../dataset';
import { instanceMasks } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { toFacts } from '../shared/image-record';
import { objectMask } from '../shared/part-layers';
import { listPartPairs } from '../shared/part-pairs';
import { schemaFile } from '../shared/vocabulary';
import {
  fileNameOf,
  type NumberedImage,
  numberImages,
  pictureFile,
  streamJsonArray,
} from '../shared/write-files';

const annotationsPath = (split: string): string => `annotations/paco_lvis_v1_${split}.json`;

/** Relative to the root, as the release names files of COCO. */
const imagePath = (image: DatasetImage): string => `images/${image.split}/${fileNameOf(image)}`;

export async function* write(
  dataset: Dataset,
  { instances }: Options,
  pictures: Pictures,
): AsyncIterable<FormatFile> {
  const table = createTable(dataset.schema);
  const isMerged = instances === 'merged';
  const imagesOf = numberImages(dataset, (image) => annotationsOf(image, isMerged).length);
  yield schemaFile(dataset.schema);
  for (const split of dataset.splits)
    yield {
      path: annotationsPath(split),
      chunks: () => document(dataset, () => imagesOf(split), table, isMerged),
    };
  for await (const image of dataset.images()) yield pictureFile(imagePath(image), image, pictures);
}

interface Table {
  categories: { id: number; name: string; supercategory: 'OBJECT' | 'PART' }[];
  idOf(className: string, partId: string | null): number;
  attributeId(id: string): number | undefined;
}

/** Objects before parts, from 1; parts as "object:part". */
function createTable(schema: DatasetSchema): Table {
  const pairs = listPartPairs(schema);
  const keys = [
    ...schema.classes.map(({ id }) => ({ key: id, name: id, supercategory: 'OBJECT' as const })),
    ...pairs.map(({ className, id, name }) => ({
      key: `${className} ${id}`,
      name: `${className}:${name}`,
      supercategory: 'PART' as const,
    })),
  ];
  const places = new Map(keys.map(({ key }, index) => [key, index + 1]));
  const attributes = new Map(schema.attributes.map(({ id }, index) => [id, index]));
  return {
    categories: keys.map(({ name, supercategory }, index) => ({ id: index + 1, name, supercategory })),
    idOf: (className, partId) => places.get(partId === null ? className : `${className} ${partId}`) ?? 0,
    attributeId: (id) => attributes.get(id),
  };
}

interface Annotation {
  object: ObjectLabel;
  className: string;
  partId: string | null;
  mask: Mask;
  label: Omit<DrawnLabel, 'mask'>;
  /** The union of the parts, because the object was not drawn and every part needs one. */
  isDerived: boolean;
}

/** Every object before its parts. Objects without a class, and those of which nothing was drawn, have none. */
function annotationsOf(image: DatasetImage, isMerged: boolean): Annotation[] {
  if (!image.hasMasks) return [];
  return image.objects.flatMap((object): Annotation[] => {
    const { className, outline, parts } = object;
    const whole = outline?.mask ?? objectMask(object);
    if (className === null || !whole) return [];
    const label = outline ?? { source: 'import', confidence: 1 };
    return [
      { object, className, partId: null, mask: whole, label, isDerived: outline === null },
      ...parts.flatMap((part) =>
        (isMerged ? [part.mask] : instanceMasks(part)).map((mask) => ({
          object,
          className,
          partId: part.id,
          mask,
          label: part,
          isDerived: false,
        })),
      ),
    ];
  });
}

async function* document(
  dataset: Dataset,
  images: () => AsyncIterable<NumberedImage>,
  table: Table,
  isMerged: boolean,
) {
  const { schema } = dataset;
  yield `{"info":${JSON.stringify({ description: dataset.name, version: dataset.hash })},\n`;
  yield `"licenses":${JSON.stringify([{ id: 1, name: dataset.licence, url: '' }])},\n"images":`;
  yield* streamJsonArray(imageRows(images()));
  yield ',\n"annotations":';
  yield* streamJsonArray(annotationRows(images(), table, schema, isMerged));
  yield ',\n"categories":';
  yield* streamJsonArray(table.categories);
  const names = [...new Set(listPartPairs(schema).map(({ name }) => name))];
  yield `,\n"part_categories":${JSON.stringify(names.map((name, index) => ({ supercategory: 'PART', id: index + 1, name })))}`;
  yield `,\n"attributes":${JSON.stringify(schema.attributes.map(({ id }, index) => ({ supercategory: 'ATTR', id: index, name: id })))}`;
  const types = schema.attributeGroups.map(({ id, attributes }) => [
    id,
    attributes.map((attribute) => table.attributeId(attribute)),
  ]);
  yield `,\n"attr_type_to_attr_idxs":${JSON.stringify(Object.fromEntries(types))}}\n`;
}

async function* imageRows(numbered: AsyncIterable<NumberedImage>) {
  for await (const { image, imageId: id } of numbered) {
    const { width, height } = image;
    yield {
      id,
      file_name: imagePath(image),
      width,
      height,
      neg_category_ids: [],
      not_exhaustive_category_ids: [],
      neg_category_ids_attrs: [],
      not_exhaustive_category_ids_attrs: [],
      license: 1,
      tessera: { name: image.name, ...toFacts(image) },
    };
  }
}

async function* annotationRows(
  numbered: AsyncIterable<NumberedImage>,
  table: Table,
  schema: DatasetSchema,
  isMerged: boolean,
) {
  for await (const { image, imageId, before } of numbered) {
    let id = before;
    let objectId = 0;
    for (const { object, className, partId, mask, label, isDerived } of annotationsOf(image, isMerged)) {
      id += 1;
      if (partId === null) objectId = id;
      const isFirst = partId === null && object === image.objects[0];
      const present = isFirst ? (image.attributes?.present ?? null) : null;
      const ids = (present ?? []).flatMap((each) => table.attributeId(each) ?? []);
      yield {
        id,
        bbox: boundingBox(mask),
        area: area(mask),
        category_id: table.idOf(className, partId),
        image_id: imageId,
        segmentation: { size: [mask.height, mask.width], counts: encodeCounts(mask) },
        attribute_ids: ids,
        dom_color_ids: [],
        obj_ann_id: objectId,
        ...Object.fromEntries(
          schema.attributeGroups.map(({ id: type }) => [`unknown_${type}`, present === null ? 1 : 0]),
        ),
        iscrowd: label.flags?.includes('crowd') ? 1 : 0,
        ...(label.flags?.includes('occluded') && { occluded: 1 }),
        ...(label.flags?.includes('truncated') && { truncated: 1 }),
        instance: object.instance,
        ...(isDerived && { derived: 1 }),
        source: label.source,
        confidence: label.confidence,
      };
    }
  }
}
