import { invalid } from '@/lib/errors';
import { formats } from '@/lib/formats';
import type { Detection, Format, SourceTree } from '@/lib/formats/format';
import { rememberingTree } from '@/lib/formats/general/tree';

export interface Guess extends Detection {
  format: string;
  name: string;
}

type Readable = Format & { reader: NonNullable<Format['reader']> };

const readable = (): Readable[] => formats.filter((format): format is Readable => format.reader !== null);

/** What the files may be, the surest guess first; none where they are pictures and nothing else. */
export async function detectFormat(given: SourceTree): Promise<Guess[]> {
  const tree = rememberingTree(withinBudget(given));
  const guesses: Guess[] = [];
  for (const { id, name, reader } of readable()) {
    // A file that breaks one reader may be just right for another.
    const found = await reader.detect(tree).catch(() => null);
    if (found) guesses.push({ format: id, name, ...found });
  }
  return guesses.sort((a, b) => b.certainty - a.certainty);
}

/** The files of one guess: labels of the largest public sets are half of it. In bytes. */
const MOST_BYTES = 1024 ** 3;

/** Guessing may cost only so much, whatever was sent. */
function withinBudget(tree: SourceTree): SourceTree {
  let left = MOST_BYTES;
  return {
    paths: tree.paths,
    async bytes(path) {
      if (left <= 0) throw new Error('The label files are too large for their format to be guessed.');
      const bytes = await tree.bytes(path);
      left -= bytes.length;
      return bytes;
    },
  };
}

/** The format of an id, or of the surest guess. */
export async function chooseFormat(
  tree: SourceTree,
  id?: string,
): Promise<{ format: Readable; because: string }> {
  if (id !== undefined) {
    const format = readable().find((each) => each.id === id);
    if (format) return { format, because: 'the format was given' };
    const known = readable().map((each) => each.id);
    throw invalid(`There is no format "${id}" that can be brought in. There are: ${known.join(', ')}.`);
  }
  const [best] = await detectFormat(tree);
  const format = readable().find((each) => each.id === best?.format);
  if (!best || !format) throw invalid('No label files of a known format were found among the files.');
  return { format, because: best.because };
}
