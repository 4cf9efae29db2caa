import { fromColumnBitmap, isEmpty, type Mask, toColumnBitmap } from '@/lib/core/mask';
import { pascalPart } from '@/lib/core/schema/presets';
import type { DatasetSchema, SchemaPart } from '@/lib/core/schema/types';
import { decodeMat, encodeMat, type MatValue } from './codecs/mat5';
import { type Dataset, type DatasetImage, instanceMasks, type MaskLabel, type ObjectLabel } from './dataset';
import type { Detection, Format, FormatFile, Options, Pictures, Source, SourceTree } from './format';
import { mergeById } from './shared/annotations';
import { toCheck } from './shared/check';
import { checkPartLayout, excludeUndrawn, layoutLosses } from './shared/check-part-layout';
import { idsOption, isWithin, otherIdsLoss } from './shared/id-table';
import { objectMask, sortLargestFirst } from './shared/part-layers';
import {
  baseName,
  createSource,
  emptyImage,
  importProvenance,
  type Notes,
  PicturePaths,
  parseSplit,
  readText,
} from './shared/read-tree';
import { readSchemaFile, schemaFile } from './shared/vocabulary';
import { jpegFile, stemOf } from './shared/write-files';

/** Of all masks of an image, unpacked. */
const MAX_BYTES = 200_000_000;

export const format: Format = {
  id: 'pascal-part',
  name: 'PASCAL-Part',
  summary: 'A MATLAB file per image with the masks of objects and their fine parts, and the pictures.',
  kind: 'own layout',
  holds: ['instances'],
  options: [idsOption],
  async check(dataset, options) {
    const isOriginal = isWithin(dataset.schema, pascalPart);
    let strange = 0;
    const drawn = withObjects(dataset);
    const problems = await checkPartLayout(
      drawn.dataset,
      {
        knows: options.ids === 'original' || isOriginal ? pascalPart : dataset.schema,
        readers: 'code that reads PASCAL-Part',
        fileName: ({ name }) => `${stemOf(name)}.jpg`,
        name: (name) => (stemOf(name).includes('.') ? 'has a dot, where readers cut it off' : null),
        needsMasks: true,
        image: (image, found) => {
          if (!/^\d{4}_\d{6}$/.test(stemOf(image.name))) strange += 1;
          const bytes = maskBytes(image);
          if (bytes > MAX_BYTES)
            found.add(
              `The masks of an image take more than ${MAX_BYTES / 1e6} MB: the layout has a whole picture for every part, and readers hold all of them. Leave the image out, or scale it.`,
              `${image.name}: ${Math.ceil(bytes / 1e6)} MB`,
            );
        },
      },
      options,
    );
    return toCheck(problems, [
      ...drawn.losses(),
      ...otherIdsLoss(isOriginal),
      ...(strange > 0
        ? [
            `${strange} names are not like 2008_000001; tools that take a number from the name cannot read them.`,
          ]
        : []),
      'The class of an image is that of its largest object.',
      layoutLosses.attributes,
      layoutLosses.absent,
      layoutLosses.provenance,
      layoutLosses.columns,
    ]);
  },
  write,
  reader: { detect, read },
};

/** Spells a part as the release does: "lfpa", and with a number where it counts them: "wheel_2". */
function tokenOf({ id, numbered }: SchemaPart, instance: number): string {
  const token = id.slice(id.indexOf(':') + 1);
  return numbered ? `${token}_${instance}` : token;
}

/** Finds the part of a token. Any number of a part that is counted means the part. */
function partIdOf({ parts }: DatasetSchema, className: string, token: string): string | undefined {
  const names = [token, token.replace(/_\d+$/, '')];
  return parts.find(
    ({ id, classes }) => classes.includes(className) && names.includes(id.slice(id.indexOf(':') + 1)),
  )?.id;
}

/** Numbers classes as VOC does, where class 11 is spelled "table"; those of another schema by their order. */
const classIndex = ({ classes }: DatasetSchema, className: string): number => {
  const known = pascalPart.classes.find(({ id }) => id === className)?.codes?.voc;
  const isOriginal = classes.every(({ id }) => pascalPart.classes.some((entry) => entry.id === id));
  return isOriginal && known !== undefined ? known : classes.findIndex(({ id }) => id === className) + 1;
};

const isDrawn = (object: ObjectLabel): boolean =>
  [...(object.outline ? [object.outline] : []), ...object.parts].some(({ mask }) => !isEmpty(mask));

/** Readers take the largest object of every file, and fail where there is none. */
const withObjects = (dataset: Dataset) =>
  excludeUndrawn(
    dataset,
    ({ objects }) => objects.some(isDrawn),
    'readers cannot open the file of an image in which no object was drawn',
  );

/** A byte a pixel for every object and every part. */
const maskBytes = ({ width, height, objects }: DatasetImage): number =>
  objects
    .filter(isDrawn)
    .reduce(
      (sum, { parts }) => sum + 1 + parts.flatMap(instanceMasks).filter((each) => !isEmpty(each)).length,
      0,
    ) *
  width *
  height;

async function* write(all: Dataset, _options: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const { dataset } = withObjects(all);
  if (!isWithin(all.schema, pascalPart)) yield schemaFile(all.schema);
  for (const split of dataset.splits)
    yield { path: `ImageSets/Main/${split}.txt`, chunks: () => stems(dataset, split) };
  for await (const image of dataset.images()) {
    const stem = stemOf(image.name);
    yield jpegFile(`JPEGImages/${stem}.jpg`, image, pictures);
    // Nothing but these may lie in the folder: readers open all they find.
    yield {
      path: `Annotations_Part/${stem}.mat`,
      bytes: () => encodeMat('anno', annotation(image, stem, all.schema)),
    };
  }
}

async function* stems(dataset: Dataset, split: string) {
  for await (const image of dataset.images()) if (image.split === split) yield `${stemOf(image.name)}\n`;
}

const text = (value: string): MatValue => ({ kind: 'text', text: value });

const mask = (value: Mask): MatValue => ({
  kind: 'matrix',
  rows: value.height,
  columns: value.width,
  values: toColumnBitmap(value),
  isLogical: true,
});

/** Some readers go by the place of a field, so that their order matters. */
const row = (fields: readonly string[], items: readonly Record<string, MatValue>[]): MatValue => ({
  kind: 'struct',
  // None at all is 0×0 with its fields, as in the release.
  rows: items.length > 0 ? 1 : 0,
  columns: items.length,
  fields,
  items,
});

function annotation(image: DatasetImage, stem: string, schema: DatasetSchema): MatValue {
  const objects = image.objects.flatMap((object) => {
    const whole = isDrawn(object) ? objectMask(object) : null;
    return whole ? [objectOf(object, whole, schema)] : [];
  });
  return row(
    ['imname', 'objects'],
    [{ imname: text(stem), objects: row(['class', 'class_ind', 'mask', 'parts'], objects) }],
  );
}

function objectOf(object: ObjectLabel, whole: Mask, schema: DatasetSchema): Record<string, MatValue> {
  const className = object.className ?? '';
  const parts = object.parts.flatMap((label) => {
    const part = schema.parts.find(({ id }) => id === label.id);
    return instanceMasks(label)
      .filter((each) => !isEmpty(each))
      .map((each, index) => ({
        part_name: text(part ? tokenOf(part, index + 1) : label.id),
        mask: mask(each),
      }));
  });
  return {
    class: text(className),
    class_ind: {
      kind: 'matrix',
      rows: 1,
      columns: 1,
      values: Float64Array.of(classIndex(schema, className)),
    },
    mask: mask(whole),
    parts: row(['part_name', 'mask'], parts),
  };
}

const ANNOTATION = /(?:^|\/)Annotations_Part\/([^/]+)\.mat$/;
const LIST = /(?:^|\/)ImageSets\/[^/]+\/(train|val|test)\.txt$/;

async function detect(tree: SourceTree): Promise<Detection | null> {
  const files = tree.paths.filter((path) => ANNOTATION.test(path));
  const [first] = files;
  if (!first) return null;
  return { certainty: 0.97, because: `${files.length} MATLAB files such as ${first}, as in PASCAL-Part` };
}

async function read(tree: SourceTree): Promise<Source> {
  const pictures = new PicturePaths(tree);
  const splits = await splitsOf(tree);
  const schema = (await readSchemaFile(tree)) ?? pascalPart;
  return createSource(
    schema,
    tree.paths.filter((path) => ANNOTATION.test(path)),
    (path) => path,
    async (path, notes) => {
      const stem = ANNOTATION.exec(path)?.[1] ?? '';
      const picture = pictures.find(`${stem}.jpg`) ?? pictures.find(`${stem}.png`);
      if (!picture) {
        notes.add('annotations without a picture were left out', path);
        return null;
      }
      const objects = objectsOf((await decodeMat(await tree.bytes(path))).get('anno'), schema, path, notes);
      const first = objects[0]?.outline?.mask;
      return {
        ...emptyImage(tree, picture, splits.get(stem) ?? null),
        width: first?.width ?? null,
        height: first?.height ?? null,
        className: sortLargestFirst(objects)[0]?.className ?? null,
        objects,
      };
    },
  );
}

async function splitsOf(tree: SourceTree): Promise<Map<string, string>> {
  const splits = new Map<string, string>();
  for (const path of tree.paths.filter((each) => LIST.test(each)))
    for (const line of (await readText(tree, path)).split('\n')) {
      const stem = line.trim().split(/\s+/)[0];
      if (stem) splits.set(stem, parseSplit(baseName(path)) ?? baseName(path).replace('.txt', ''));
    }
  return splits;
}

const rows = (value: MatValue | undefined) => (value?.kind === 'struct' ? value.items : []);
const textOf = (value: MatValue | undefined) => (value?.kind === 'text' ? value.text : '');

function maskOf(value: MatValue | undefined): Mask | null {
  if (value?.kind !== 'matrix' || value.rows < 1 || value.columns < 1) return null;
  const mask = fromColumnBitmap(value.values, value.rows, value.columns);
  return mask.toggles.length > 1 ? mask : null;
}

function objectsOf(
  anno: MatValue | undefined,
  schema: DatasetSchema,
  path: string,
  notes: Notes,
): ObjectLabel[] {
  const known = new Set(schema.classes.map(({ id }) => id));
  return rows(rows(anno)[0]?.objects).flatMap((entry, index) => {
    const className = textOf(entry.class);
    const mask = maskOf(entry.mask);
    if (!known.has(className) || !mask) {
      notes.add('objects without mask, or of a class that is none of the twenty, were left out', path);
      return [];
    }
    const parts = rows(entry.parts).flatMap((part): MaskLabel[] => {
      const name = textOf(part.part_name);
      const id = partIdOf(schema, className, name);
      const own = maskOf(part.mask);
      if (id && own && own.width === mask.width && own.height === mask.height)
        return [{ ...importProvenance, id, mask: own }];
      notes.add(`parts "${name.slice(0, 40)}" of ${className} were left out`, path);
      return [];
    });
    return [
      {
        className,
        instance: index + 1,
        outline: { ...importProvenance, mask },
        parts: mergeById(parts),
        absent: [],
      },
    ];
  });
}
