import { emptyMask, isEmpty, type Mask, merge, scaleByArea, toBitmap } from '@/lib/core/mask';
import { rival10 } from '@/lib/core/schema/presets';
import { toBase64 } from '../codecs/bytes';
import { encodeJpegMask } from '../codecs/jpeg';
import { encodeLabelPng } from '../codecs/label-png';
import { encodeNpy } from '../codecs/npy';
import { encodePickle } from '../codecs/pickle';
import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { objectMask } from '../shared/part-layers';
import { jpegFile, stemOf } from '../shared/write-files';

const ROOT = 'RIVAL10';

/** The 18 attributes in the order of the vectors. */
export const ATTRIBUTES = rival10.attributes
  .filter(({ codes }) => codes?.index !== undefined)
  .sort((a, b) => (a.codes?.index ?? 0) - (b.codes?.index ?? 0));

export const WHOLE = 'entire-object';

export const classOfWnid = (wnid: string): string | null =>
  rival10.classes.find(({ wnids }) => wnids?.includes(wnid))?.id ?? null;

/** The loader takes the class from the WordNet id in the name: the image's own, or else the first of its class. */
function wnidOf({ wnid, className }: DatasetImage): string {
  const own = rival10.classes.find(({ id }) => id === className)?.wnids ?? [];
  return wnid !== null && own.includes(wnid) ? wnid : (own[0] ?? '');
}

export const sampleStem = (image: DatasetImage): string => `${wnidOf(image)}_${stemOf(image.name)}`;

const samplePath = (image: DatasetImage): string => `${ROOT}/${image.split}/ordinary/${sampleStem(image)}`;

/** What the public loader looks ImageNet classes up by. */
const imageNetNames: Readonly<Record<string, string>> = {
  n03796401: 'moving van',
  n04467665: 'semi',
  n02814533: 'waggon',
  n03100240: 'convertible',
  n02690373: 'airliner',
  n04552348: 'military plane',
  n03673027: 'ocean liner',
  n03095699: 'container vessel',
  n02123394: 'Persian',
  n02124075: 'Egyptian',
  n02099712: 'Labrador',
  n02099601: 'golden retriever',
  n02389026: 'sorrel',
  n02391049: 'zebra',
  n02423022: 'gazelle',
  n02422699: 'Aepyceros melampus',
  n01644900: 'Ascaphus trui',
  n01644373: 'tree-frog',
  n01531178: 'Carduelis carduelis',
  n01532829: 'Carpodacus mexicanus',
};

/** The public loader cuts this many letters off the front of each entry to find a local copy. */
const URL_PREFIX = 'https://feizi-lab-datasets.s3.us-east-2.amazonaws.com/imagenet/';

const json = (value: unknown) => new TextEncoder().encode(`${JSON.stringify(value)}\n`);

export async function* write(
  dataset: Dataset,
  options: Options,
  pictures: Pictures,
): AsyncIterable<FormatFile> {
  const side = Number(options.size);
  yield { path: `${ROOT}/meta/label_mappings.json`, bytes: () => json(labelMappings) };
  yield { path: `${ROOT}/meta/wnid_to_class.json`, bytes: () => json(imageNetNames) };
  yield { path: `${ROOT}/meta/train_test_split_by_url.json`, chunks: () => splitFile(dataset) };
  for (const split of dataset.splits) {
    yield { path: `${ROOT}/${split}/ordinary/` };
    yield { path: `${ROOT}/${split}/entire_object_masks/` };
  }
  for await (const image of dataset.images()) yield* sample(image, side, pictures);
}

function* sample(image: DatasetImage, side: number, pictures: Pictures): Generator<FormatFile> {
  const base = samplePath(image);
  const size = side > 0 ? { width: side, height: side } : { width: image.width, height: image.height };
  // Four files are made from the same masks; the next image makes others.
  let kept: Map<string, Mask> | undefined;
  const masks = () => (kept ??= masksOf(image, size));
  const none = () => emptyMask(size.height, size.width);
  yield side > 0
    ? { path: `${base}.JPEG`, bytes: () => pictures.encode(image, { format: 'jpeg', quality: 95, size }) }
    : jpegFile(`${base}.JPEG`, image, pictures);
  yield { path: `${base}_attr_labels.npy`, bytes: () => labels(image) };
  yield {
    path: `${base}_attr_dict.pkl`,
    bytes: () => encodePickle([...masks()].map(([name, mask]) => [name, toBase64(rgbMask(mask))])),
  };
  yield {
    path: `${base}_merged_mask.JPEG`,
    bytes: () => {
      const parts = [...masks()].flatMap(([name, mask]) => (name === WHOLE ? [] : [mask]));
      return jpegMask(parts.length > 0 ? merge(parts) : none());
    },
  };
  yield {
    path: `${ROOT}/${image.split}/entire_object_masks/${sampleStem(image)}.JPEG`,
    bytes: () => jpegMask(masks().get(WHOLE) ?? none()),
  };
}

/** Two rows: what is there, and what was changed by augmentation, which is nothing. */
function labels({ attributes }: DatasetImage): Uint8Array {
  const present = ATTRIBUTES.map(({ id }) => (attributes?.present.includes(id) ? 1 : 0));
  return encodeNpy({ shape: [2, ATTRIBUTES.length], values: [...present, ...present.map(() => 0)] });
}

/** By name: localised attributes as drawn, the others as the whole object, and the object itself. */
function masksOf(
  image: DatasetImage,
  { width, height }: { width: number; height: number },
): Map<string, Mask> {
  const masks = new Map<string, Mask>();
  if (!image.hasMasks) return masks;
  const wholes = image.objects.flatMap((object) => objectMask(object) ?? []);
  const whole = wholes.length > 0 ? merge(wholes) : null;
  for (const { id, kind } of ATTRIBUTES) {
    if (!image.attributes?.present.includes(id)) continue;
    const drawn = image.attributeMasks.find((label) => label.id === id)?.mask;
    const mask = kind === 'whole-object' ? whole : drawn;
    if (mask && !isEmpty(mask)) masks.set(id, scaleByArea(mask, height, width));
  }
  if (whole && !isEmpty(whole)) masks.set(WHOLE, scaleByArea(whole, height, width));
  return masks;
}

/** The loader counts a pixel when a channel is exactly 255, and only in colour. */
const rgbMask = (mask: Mask): Uint8Array =>
  encodeLabelPng([{ mask, value: 0xffffff }], mask.width, mask.height, 'rgb');

const jpegMask = (mask: Mask): Uint8Array =>
  encodeJpegMask(
    toBitmap(mask).map((bit) => 255 * bit),
    mask.width,
    mask.height,
  );

/** ImageNet's name of a class → name and number of the class. */
const labelMappings = Object.fromEntries(
  rival10.classes.flatMap(({ id, wnids, codes }) =>
    (wnids ?? []).map((wnid) => [imageNetNames[wnid] ?? wnid, [id, codes?.index]]),
  ),
);

async function* splitFile(dataset: Dataset) {
  let mark = '{';
  for (const split of dataset.splits) {
    yield `${mark}${JSON.stringify(split)}:[`;
    let comma = '\n';
    for await (const image of dataset.images()) {
      if (image.split !== split) continue;
      const wnid = wnidOf(image);
      yield `${comma}${JSON.stringify(`${URL_PREFIX}${split}/${wnid}/${sampleStem(image).slice(wnid.length + 1)}.JPEG`)}`;
      comma = ',\n';
    }
    yield ']';
    mark = ',\n';
  }
  yield '}\n';
}
