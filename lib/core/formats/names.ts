import type { DatasetImage } from './dataset';
import type { Problems } from './problems';

/** File systems of today hold 255 bytes; an ending and what formats add must fit too. */
const LONGEST_BYTES = 200;

/** Devices of Windows, where no file may be called like one, whatever its ending. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/i;

const encoder = new TextEncoder();

/** Why no file may be called so on one of the common systems, or null. */
export function nameProblem(name: string): string | null {
  if (name === '' || name === '.' || name === '..') return 'is no name for a file';
  if (/[\\/]/.test(name)) return 'has a slash';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  if (/[\u0000-\u001f\u007f-\u009f]/.test(name)) return 'has control characters';
  if (/[<>:"|?*]/.test(name)) return 'has one of < > : " | ? *, which Windows cannot hold';
  // Most formats put an ending of their own behind the stem, or make a folder of it.
  if (stemOf(name) === '') return 'has nothing before its ending';
  if (/[. ]$/.test(name) || /[. ]$/.test(stemOf(name))) return 'ends in a dot or a space';
  if (RESERVED.test(stemOf(name).split('.')[0] ?? '')) return 'is reserved on Windows';
  if (encoder.encode(name).length > LONGEST_BYTES) return `is longer than ${LONGEST_BYTES} bytes`;
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

  see(name: string): void {
    const wrong = nameProblem(name) ?? this.more(name);
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
