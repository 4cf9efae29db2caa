import { isEmpty, type Mask, toColumnBitmap } from '@/lib/core/mask';
import { encodeMat, type MatValue } from '../codecs/mat5';
import type { Dataset, DatasetImage, ObjectLabel } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { jpegFile } from '../general/picture-file';
import { stemOf } from '../names';
import { keepDrawn } from '../tessera/is-labelled';
import { objectMask } from '../tessera/layers';
import { classIndex, tokenOf } from './tokens';

const isDrawn = (object: ObjectLabel): boolean =>
  [...(object.outline ? [object.outline] : []), ...object.parts].some(({ mask }) => !isEmpty(mask));

/** Readers take the largest object of every file, and fail where there is none. */
export const withObjects = (dataset: Dataset) =>
  keepDrawn(
    dataset,
    ({ objects }) => objects.some(isDrawn),
    'readers cannot open the file of an image in which no object was drawn',
  );

/** A byte a pixel for every object and every part. */
export const maskBytes = ({ width, height, objects }: DatasetImage): number =>
  objects
    .filter(isDrawn)
    .reduce((sum, { parts }) => sum + 1 + parts.filter(({ mask }) => !isEmpty(mask)).length, 0) *
  width *
  height;

export async function* write(all: Dataset, _options: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const { dataset } = withObjects(all);
  for (const split of dataset.splits)
    yield { path: `ImageSets/Main/${split}.txt`, chunks: () => stems(dataset, split) };
  for await (const image of dataset.images()) {
    const stem = stemOf(image.name);
    yield jpegFile(`JPEGImages/${stem}.jpg`, image, pictures);
    // Nothing but these may lie in the folder: readers open all they find.
    yield { path: `Annotations_Part/${stem}.mat`, bytes: () => encodeMat('anno', annotation(image, stem)) };
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

function annotation(image: DatasetImage, stem: string): MatValue {
  const objects = image.objects.flatMap((object) => {
    const whole = isDrawn(object) ? objectMask(object) : null;
    return whole ? [objectOf(object, whole)] : [];
  });
  return row(
    ['imname', 'objects'],
    [{ imname: text(stem), objects: row(['class', 'class_ind', 'mask', 'parts'], objects) }],
  );
}

function objectOf(object: ObjectLabel, whole: Mask): Record<string, MatValue> {
  const className = object.className ?? '';
  const parts = object.parts
    .filter((part) => !isEmpty(part.mask))
    .map((part) => ({ part_name: text(tokenOf(part.id)), mask: mask(part.mask) }));
  return {
    class: text(className),
    class_ind: { kind: 'matrix', rows: 1, columns: 1, values: Float64Array.of(classIndex(className)) },
    mask: mask(whole),
    parts: row(['part_name', 'mask'], parts),
  };
}
