import { fromColumnBitmap, isEmpty, type Mask, toColumnBitmap } from '@/lib/core/mask';
import { pascalPart } from '@/lib/core/schema/presets';
import type { DatasetSchema, SchemaPart } from '@/lib/core/schema/types';
import { decodeMat, encodeMat, isHdf5, type MatValue } from './codecs/mat5';
import { type Dataset, type DatasetImage, instanceMasks, type ObjectLabel } from './dataset';
import type { Detection, Format, FormatFile, Options, Pictures, SourceTree } from './format';
import { readMapped } from './mapping/open-source';
import { toCheck } from './shared/check';
import { checkPartLayout, excludeUndrawn, layoutLosses } from './shared/check-part-layout';
import { idsOption, isWithin, otherIdsLoss } from './shared/id-table';
import { objectMask } from './shared/part-layers';
import { type RawAnnotation, type RawSource, rawImage, unreadable } from './shared/raw-source';
import { baseName, isPicture, Notes, PicturePaths, parseSplit, readText } from './shared/read-tree';
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
  reader: { detect, read: (tree) => readMapped(tree, open), open },
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

/** MATLAB files of the release's folder; where there is none, those with a picture of the same name. */
function annotationFiles(tree: SourceTree): string[] {
  const usual = tree.paths.filter((path) => ANNOTATION.test(path));
  if (usual.length > 0) return usual;
  const pictures = new Set(
    tree.paths.filter(isPicture).map((path) => baseName(path).replace(/\.[^.]+$/, '')),
  );
  return tree.paths.filter(
    (path) => /\.mat$/i.test(path) && pictures.has(baseName(path).replace(/\.mat$/i, '')),
  );
}

async function detect(tree: SourceTree): Promise<Detection | null> {
  const files = annotationFiles(tree);
  const [first] = files;
  if (!first) return null;
  const because = `${files.length} MATLAB files such as ${first}, as in PASCAL-Part`;
  if (ANNOTATION.test(first)) return { certainty: 0.97, because };
  const bytes = await tree.bytes(first);
  const isAnnotation = isHdf5(bytes) || (await decodeMat(bytes)).has('anno');
  return isAnnotation ? { certainty: 0.9, because: `${because}, beside their pictures` } : null;
}

/** The id of a part of the preset, whatever its number; else class and token. */
const categoryOf = (schema: DatasetSchema, className: string, token: string): string =>
  partIdOf(schema, className, token) ?? `${className}:${token}`;

const numberOf = (token: string): number => Number(/_(\d+)$/.exec(token)?.[1] ?? 0);

async function open(tree: SourceTree): Promise<RawSource> {
  const pictures = new PicturePaths(tree);
  const splits = await splitsOf(tree);
  const notes = new Notes();
  const files = annotationFiles(tree);
  const schema = (await readSchemaFile(tree)) ?? pascalPart;
  const meanings = new Map<string, { kind: 'object' | 'part'; id: string }>([
    ...schema.parts.map(({ id }) => [id, { kind: 'part', id }] as const),
    ...schema.classes.map(({ id }) => [id, { kind: 'object', id }] as const),
  ]);
  return {
    origin: 'the MATLAB files',
    categories: [...schema.classes, ...schema.parts].map(({ id }) => ({ name: id })),
    known: { schema, resolve: (name) => meanings.get(name) },
    hasOtherCategories: true,
    notes,
    async *images() {
      for (const path of files) {
        const stem = baseName(path).replace(/\.mat$/i, '');
        const picture = pictures.find(`${stem}.jpg`) ?? pictures.find(`${stem}.png`);
        if (!picture) {
          notes.add('annotations without a picture were left out', path);
          continue;
        }
        try {
          const annotations = annotationsOf((await decodeMat(await tree.bytes(path))).get('anno'), schema);
          const first = annotations.find(({ problem }) => problem === undefined);
          const size = await first?.mask();
          yield {
            ...rawImage(tree, picture, splits.get(stem) ?? null),
            where: path,
            width: size?.width ?? null,
            height: size?.height ?? null,
            annotations,
          };
        } catch (error) {
          const why = error instanceof Error ? error.message : 'it cannot be read';
          notes.add(`images were left out: ${why}`, path);
        }
      }
    },
  };
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

function annotationsOf(anno: MatValue | undefined, schema: DatasetSchema): RawAnnotation[] {
  return rows(rows(anno)[0]?.objects).flatMap((entry, index): RawAnnotation[] => {
    const className = textOf(entry.class);
    const mask = maskOf(entry.mask);
    const ordered = [...rows(entry.parts)].sort(
      (a, b) => numberOf(textOf(a.part_name)) - numberOf(textOf(b.part_name)),
    );
    const parts = ordered.map((part): RawAnnotation => {
      const category = categoryOf(schema, className, textOf(part.part_name));
      const own = maskOf(part.mask);
      if (!mask) return unreadable(category, 'parts of objects without a mask');
      if (!own) return unreadable(category, 'parts without a mask');
      if (own.width !== mask.width || own.height !== mask.height)
        return unreadable(category, 'parts of another size than their object');
      return { category, instance: index + 1, mask: () => own };
    });
    const object: RawAnnotation = mask
      ? { category: className, instance: index + 1, mask: () => mask }
      : unreadable(className, 'objects without a mask');
    return [object, ...parts];
  });
}
