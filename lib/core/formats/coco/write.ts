import { area, boundingBox, encodeCounts, isEmpty, type Mask, toCounts } from '@/lib/core/mask';
import type { DatasetSchema } from '@/lib/core/schema/types';
import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { type Annotation, listAnnotations } from '../shared/annotations';
import { toFacts } from '../shared/image-record';
import { pieceRings } from '../shared/polygons';
import { createLabelTable, type LabelTable, schemaFile } from '../shared/vocabulary';
import {
  fileNameOf,
  type NumberedImage,
  numberImages,
  pictureFile,
  streamJsonArray,
} from '../shared/write-files';

/** As the dataset's own releases are laid out. */
const annotationsPath = (split: string): string => `annotations/instances_${split}.json`;

/** Datumaro requires the folder `images`; other loaders receive the folder of a split as a parameter. */
const imagePath = (split: string, name: string): string => `images/${split}/${name}`;

/** The split that `annotationsPath` was given. */
export const splitOfPath = (path: string): string | null =>
  /(?:^|\/)instances_([^/]+)\.json$/.exec(path)?.[1] ?? null;

/** How annotations are written; see the options in index.ts. */
interface CocoStyle {
  polygons: boolean;
  unions: boolean;
  provenance: boolean;
}

export async function* write(
  dataset: Dataset,
  options: Options,
  pictures: Pictures,
): AsyncIterable<FormatFile> {
  const table = createLabelTable(dataset.schema);
  const style = {
    polygons: options.segmentation === 'polygons',
    unions: options.outlines === 'union',
    provenance: options.provenance === true,
  };
  const imagesOf = numberImages(dataset, (image) => drawnAnnotations(image, style).length);
  yield schemaFile(dataset.schema);
  for (const split of dataset.splits)
    yield {
      path: annotationsPath(split),
      chunks: () => document(dataset, () => imagesOf(split), table, style),
    };
  for await (const image of dataset.images())
    yield pictureFile(imagePath(image.split, fileNameOf(image)), image, pictures);
}

/** Loaders fail on annotations without a pixel. */
const drawnAnnotations = (image: DatasetImage, { unions }: Pick<CocoStyle, 'unions'>): Annotation[] =>
  listAnnotations(image, { unions }).filter(({ mask }) => !isEmpty(mask));

type Images = () => AsyncIterable<NumberedImage>;

async function* document(dataset: Dataset, imagesOf: Images, table: LabelTable, style: CocoStyle) {
  yield `{"info":${JSON.stringify({ description: dataset.name, version: dataset.hash })},\n`;
  yield `"licenses":${JSON.stringify([{ id: 1, name: dataset.licence, url: '' }])},\n"images":`;
  yield* streamJsonArray(images(imagesOf()));
  yield ',\n"annotations":';
  yield* streamJsonArray(annotations(imagesOf(), table, style));
  yield ',\n"categories":';
  yield* streamJsonArray(categoriesOf(dataset, table));
  yield '}\n';
}

/** Numbers categories from 1: some tools take 0 for "none". */
export const categoriesOf = ({ schema }: Dataset, table: LabelTable) =>
  table.labels.map(({ name, kind, id }, index) => ({
    id: index + 1,
    name,
    supercategory: supercategoryOf(schema, kind, id),
  }));

/** Returns the superclass of a class, and the class of a part, or what its classes have in common. */
function supercategoryOf({ classes, parts }: DatasetSchema, kind: Annotation['kind'], id: string): string {
  const superclassOf = (classId: string) => classes.find((entry) => entry.id === classId)?.superclass;
  if (kind === 'object') return superclassOf(id) ?? 'object';
  if (kind === 'attribute') return 'attribute';
  const own = parts.find((part) => part.id === id)?.classes ?? [];
  if (own.length === 1) return own[0] as string;
  const [first, ...others] = new Set(own.map(superclassOf));
  return others.length === 0 && first !== undefined ? first : 'part';
}

export async function* images(numberedImages: AsyncIterable<NumberedImage>) {
  for await (const { image, imageId: id } of numberedImages) {
    const { width, height } = image;
    yield { id, file_name: fileNameOf(image), width, height, license: 1, tessera: toFacts(image) };
  }
}

async function* annotations(
  numberedImages: AsyncIterable<NumberedImage>,
  table: LabelTable,
  style: CocoStyle,
) {
  for await (const { image, imageId, before } of numberedImages) {
    let id = before;
    for (const annotation of drawnAnnotations(image, style)) {
      const { mask, flags } = annotation;
      const isCrowd = flags?.includes('crowd') ?? false;
      id += 1;
      yield {
        id,
        image_id: imageId,
        category_id: table.indexOf(annotation) + 1,
        segmentation: isCrowd ? crowdRuns(mask) : segmentationOf(mask, style.polygons),
        area: area(mask),
        bbox: boundingBox(mask),
        iscrowd: isCrowd ? 1 : 0,
        attributes: attributesOf(annotation, style),
      };
    }
  }
}

/** COCO tools ignore `attributes`; CVAT and Datumaro show them. */
const attributesOf = (
  { instance, flags, isFromParts, source, confidence }: Annotation,
  style: CocoStyle,
) => ({
  ...(instance > 0 && { object: instance }),
  ...(flags?.includes('occluded') && { occluded: true }),
  ...(flags?.includes('truncated') && { truncated: true }),
  ...(isFromParts && { from_parts: true }),
  ...(style.provenance && { source, confidence }),
});

/** Loaders expect crowd regions as a list of runs. */
const crowdRuns = (mask: Mask) => ({ size: [mask.height, mask.width], counts: toCounts(mask) });

const segmentationOf = (mask: Mask, polygons: boolean) =>
  polygons ? pieceRings(mask) : { size: [mask.height, mask.width], counts: encodeCounts(mask) };
