import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Pictures } from '../format';
import type { Problems } from './check';

/** File systems allow 255 bytes. This leaves room for extensions and suffixes that formats add. */
const MAX_NAME_BYTES = 200;

/** Device names, which Windows reserves with any extension. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/i;

const encoder = new TextEncoder();

/** Returns why a name is invalid on a common operating system, or null. */
export function findNameProblem(name: string): string | null {
  if (name === '' || name === '.' || name === '..') return 'is no name for a file';
  if (/[\\/]/.test(name)) return 'has a slash';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the rule looks for exactly these.
  if (/[\u0000-\u001f\u007f-\u009f]/.test(name)) return 'has control characters';
  if (/[<>:"|?*]/.test(name)) return 'has one of < > : " | ? *, which Windows cannot hold';
  // Most formats add their own extension to the stem, or use it as a folder name.
  if (stemOf(name) === '') return 'has nothing before its ending';
  if (/[. ]$/.test(name) || /[. ]$/.test(stemOf(name))) return 'ends in a dot or a space';
  if (RESERVED.test(stemOf(name).split('.')[0] ?? '')) return 'is reserved on Windows';
  if (encoder.encode(name).length > MAX_NAME_BYTES) return `is longer than ${MAX_NAME_BYTES} bytes`;
  return null;
}

const ENDING = /\.(jpe?g|png|webp|tiff?|gif|avif|hei[cf]|bmp)$/i;

/** The name without its image extension. */
export const stemOf = (name: string): string => name.replace(ENDING, '');

const fitting: Readonly<Record<string, RegExp>> = {
  'image/jpeg': /\.jpe?g$/i,
  'image/png': /\.png$/i,
};

/** A window is cropped losslessly to PNG; otherwise the stored file is used unchanged. */
export const mediaTypeOf = ({ picture }: DatasetImage): string =>
  picture.window ? 'image/png' : picture.mediaType;

/** The image's name with the extension of its media type. */
export function fileNameOf(image: DatasetImage): string {
  const type = mediaTypeOf(image);
  if (fitting[type]?.test(image.name)) return image.name;
  return `${stemOf(image.name)}.${type === 'image/jpeg' ? 'jpg' : type.replace('image/', '')}`;
}

/** Checks every name of an export once. `more` adds the rules of one format. */
export class NameCheck {
  readonly #seen = new Map<string, string>();

  constructor(
    private readonly problems: Problems,
    private readonly more: (name: string) => string | null = () => null,
  ) {}

  check(name: string): void {
    const wrong = findNameProblem(name) ?? this.more(name);
    if (wrong)
      this.problems.add(
        `The name ${wrong}. Rename the image, or export with names by number (names=number).`,
        name,
      );
    // Label files are matched by stem, and some file systems ignore case.
    const key = stemOf(name).normalize('NFC').toLowerCase();
    const before = this.#seen.get(key);
    if (before === undefined) this.#seen.set(key, name);
    else
      this.problems.add(
        'Two images have one name. Rename one, or export with names by number (names=number).',
        before === name ? name : `${before} and ${name}`,
      );
  }
}

/** The stored file unchanged, or a lossless PNG of its window region. */
export function pictureFile(path: string, image: DatasetImage, pictures: Pictures): FormatFile {
  if (image.picture.window) return { path, bytes: () => pictures.encode(image, { format: 'png' }) };
  return { path, sha256: image.picture.sha256, bytes: () => pictures.readStored(image) };
}

/** A JPEG, for tools that only look for .jpg files. */
export function jpegFile(path: string, image: DatasetImage, pictures: Pictures): FormatFile {
  if (mediaTypeOf(image) === 'image/jpeg') return pictureFile(path, image, pictures);
  return { path, bytes: () => pictures.encode(image, { format: 'jpeg', quality: 95 }) };
}

/** Number of images that are read ahead while another one is written. */
const READ_AHEAD = 4;

interface ImageWithBytes {
  image: DatasetImage;
  picture: Uint8Array;
}

/** Yields the images with their file contents in order, reading a few ahead. */
export async function* readAhead(
  images: readonly DatasetImage[],
  pictures: Pictures,
): AsyncGenerator<ImageWithBytes> {
  const queue: Promise<ImageWithBytes>[] = [];
  for (const image of images) {
    const reading = readPicture(image, pictures);
    // Awaited later; until then a rejection must not be reported as unhandled.
    reading.catch(() => {});
    queue.push(reading);
    if (queue.length > READ_AHEAD) yield await (queue.shift() as Promise<ImageWithBytes>);
  }
  for (const reading of queue) yield await reading;
}

async function readPicture(image: DatasetImage, pictures: Pictures): Promise<ImageWithBytes> {
  const picture = await pictureFile('', image, pictures).bytes?.();
  if (!picture) throw new Error(`The picture of "${image.name}" has no bytes.`);
  return { image, picture };
}

/** Images of one split that go into one file. */
interface Shard {
  split: string;
  /** From 0, within the split. */
  index: number;
  images: DatasetImage[];
}

/** Groups the dataset into shards of `size` images. Only one incomplete shard per split is in memory. */
export async function* splitIntoShards(dataset: Dataset, size: number): AsyncGenerator<Shard> {
  const open = new Map<string, Shard>();
  for await (const image of dataset.images()) {
    const { split } = image;
    const current = open.get(split) ?? { split, index: 0, images: [] };
    current.images.push(image);
    open.set(split, current);
    if (current.images.length < size) continue;
    yield current;
    open.set(split, { split, index: current.index + 1, images: [] });
  }
  for (const rest of open.values()) if (rest.images.length > 0) yield rest;
}

/** Characters per chunk; larger chunks need fewer writes. */
const CHUNK_CHARS = 65_536;

/** Streams a JSON array with one element per line. Only one chunk is in memory. */
export async function* streamJsonArray(
  elements: AsyncIterable<unknown> | Iterable<unknown>,
): AsyncGenerator<string> {
  let piece = '';
  let mark = '[\n';
  for await (const element of elements) {
    piece += mark + JSON.stringify(element);
    mark = ',\n';
    if (piece.length < CHUNK_CHARS) continue;
    yield piece;
    piece = '';
  }
  yield piece + (mark === '[\n' ? '[]' : '\n]');
}

export interface NumberedImage {
  image: DatasetImage;
  /** From 1 across all splits, so that numbers stay unique when the files are merged. */
  imageId: number;
  /** The number of annotations of all previous images. */
  before: number;
}

/**
 * Numbers the images of a split among those of all splits. Counting annotations requires parsing the labels, so counts
 * are cached for later passes.
 */
export function numberImages(
  dataset: Dataset,
  countOf: (image: DatasetImage) => number,
): (split: string) => AsyncGenerator<NumberedImage> {
  const counts: number[] = [];
  return async function* (split) {
    let position = 0;
    let before = 0;
    for await (const image of dataset.images()) {
      const count = counts[position] ?? countOf(image);
      counts[position] = count;
      position += 1;
      if (image.split === split) yield { image, imageId: position, before };
      before += count;
    }
  };
}
