import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Pictures } from '../format';
import type { Problems } from './check';

/** File systems of today hold 255 bytes; an ending and what formats add must fit too. */
const MAX_NAME_BYTES = 200;

/** Devices of Windows, where no file may be called like one, whatever its ending. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/i;

const encoder = new TextEncoder();

/** Why no file may be called so on one of the common systems, or null. */
export function findNameProblem(name: string): string | null {
  if (name === '' || name === '.' || name === '..') return 'is no name for a file';
  if (/[\\/]/.test(name)) return 'has a slash';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  if (/[\u0000-\u001f\u007f-\u009f]/.test(name)) return 'has control characters';
  if (/[<>:"|?*]/.test(name)) return 'has one of < > : " | ? *, which Windows cannot hold';
  // Most formats put an ending of their own behind the stem, or make a folder of it.
  if (stemOf(name) === '') return 'has nothing before its ending';
  if (/[. ]$/.test(name) || /[. ]$/.test(stemOf(name))) return 'ends in a dot or a space';
  if (RESERVED.test(stemOf(name).split('.')[0] ?? '')) return 'is reserved on Windows';
  if (encoder.encode(name).length > MAX_NAME_BYTES) return `is longer than ${MAX_NAME_BYTES} bytes`;
  return null;
}

const ENDING = /\.(jpe?g|png|webp|tiff?|gif|avif|bmp)$/i;

/** The name without the ending that says what kind of picture it is. */
export const stemOf = (name: string): string => name.replace(ENDING, '');

const fitting: Readonly<Record<string, RegExp>> = {
  'image/jpeg': /\.jpe?g$/i,
  'image/png': /\.png$/i,
};

/** A window is cut out without loss; a stored picture stays as it is. */
export const mediaTypeOf = ({ picture }: DatasetImage): string =>
  picture.window ? 'image/png' : picture.mediaType;

/** The image's name with an ending that is true for its bytes. */
export function fileNameOf(image: DatasetImage): string {
  const type = mediaTypeOf(image);
  if (fitting[type]?.test(image.name)) return image.name;
  return `${stemOf(image.name)}.${type === 'image/jpeg' ? 'jpg' : type.replace('image/', '')}`;
}

/** Looks at every name of an export once; `more` is what one format cannot hold beside what none can. */
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
    // Labels are found by the name without its ending, and some systems do not tell A from a.
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

/** The stored bytes as they are; a window is cut out and coded without loss. */
export function pictureFile(path: string, image: DatasetImage, pictures: Pictures): FormatFile {
  if (image.picture.window) return { path, bytes: () => pictures.encode(image, { format: 'png' }) };
  return { path, sha256: image.picture.sha256, bytes: () => pictures.readStored(image) };
}

/** For tools that look for .jpg only. */
export function jpegFile(path: string, image: DatasetImage, pictures: Pictures): FormatFile {
  if (mediaTypeOf(image) === 'image/jpeg') return pictureFile(path, image, pictures);
  return { path, bytes: () => pictures.encode(image, { format: 'jpeg', quality: 95 }) };
}

/** Pictures that are read while another one is written. */
const READ_AHEAD = 4;

interface ImageWithBytes {
  image: DatasetImage;
  picture: Uint8Array;
}

/** Images with the bytes of their pictures, in order; a few are read ahead. */
export async function* readAhead(
  images: readonly DatasetImage[],
  pictures: Pictures,
): AsyncGenerator<ImageWithBytes> {
  const queue: Promise<ImageWithBytes>[] = [];
  for (const image of images) {
    const reading = readPicture(image, pictures);
    // It is awaited in its turn; until then its failure must not count as unheard.
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

/** Some images of one split that go into one file. */
interface Shard {
  split: string;
  /** From 0, within the split. */
  index: number;
  images: DatasetImage[];
}

/** The dataset in shards of a size: of each split one waits at a time, whatever the size of the dataset. */
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

/** Pieces of about this many characters: whoever writes them to a file is called seldom. */
const CHUNK_CHARS = 65_536;

/** The elements of a JSON array, one per line; nothing but a piece of it is in memory. */
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
  /** From 1, through all splits, so that no number comes twice when files are put together. */
  imageId: number;
  /** How many annotations the images before it have. */
  before: number;
}

/**
 * Images of a split with their numbers among those of all splits. Counting the annotations of an image means reading its
 * labels: it is done once, and later passes leave the labels of other splits alone.
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
