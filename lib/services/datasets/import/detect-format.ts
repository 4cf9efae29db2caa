import { invalid, TesseraError } from '@/lib/core/errors';
import { formats } from '@/lib/core/formats';
import type { Detection, Format, SourceTree } from '@/lib/core/formats/format';
import { rememberingTree } from '@/lib/core/formats/general/tree';

export interface Guess extends Detection {
  format: string;
  name: string;
}

type Readable = Format & { reader: NonNullable<Format['reader']> };

const readable = (): Readable[] => formats.filter((format): format is Readable => format.reader !== null);

/** What guessing may cost. */
export interface Budget {
  /** Of label files that are read. */
  bytes: number;
  ms: number;
}

/** Of a command line, where nobody else waits: labels of the largest public sets are half of it. */
const roomy: Budget = { bytes: 1024 ** 3, ms: 10 * 60_000 };

/** Of a web server, whose other visitors wait while a label file is parsed: 128 MB of JSON hold it up for a second. */
export const whileOthersWait: Budget = { bytes: 128 * 1024 ** 2, ms: 20_000 };

/**
 * What the files may be, the surest guess first; none where they are pictures and nothing else. Files that cost more
 * than the budget to look at are refused as too large: somebody has to say what they are.
 */
export async function detectFormat(given: SourceTree, budget = roomy): Promise<Guess[]> {
  const { tree, isSpent } = within(given, budget);
  const guesses: Guess[] = [];
  for (const { id, name, reader } of readable()) {
    // A file that breaks one reader may be just right for another.
    const found = await reader.detect(tree).catch(() => null);
    if (found) guesses.push({ format: id, name, ...found });
  }
  if (guesses.length === 0 && isSpent())
    throw new TesseraError(
      'too-large',
      'The label files are too large for their format to be found out: say which it is.',
    );
  return guesses.sort((a, b) => b.certainty - a.certainty);
}

/** A tree that refuses to be read further than the budget goes; a file beyond it is not given to a parser. */
function within(given: SourceTree, { bytes: most, ms }: Budget) {
  const until = Date.now() + ms;
  let left = most;
  const tree = rememberingTree({
    paths: given.paths,
    async bytes(path) {
      const bytes = left < 0 || Date.now() > until ? null : await given.bytes(path);
      left = bytes === null ? -1 : left - bytes.length;
      if (bytes === null || left < 0) throw new Error('Too much to read for a guess.');
      return bytes;
    },
  });
  return { tree, isSpent: () => left < 0 };
}

/** The format of an id, or of the surest guess. */
export async function chooseFormat(
  tree: SourceTree,
  id?: string,
  budget = roomy,
): Promise<{ format: Readable; because: string }> {
  if (id !== undefined) {
    const format = readable().find((each) => each.id === id);
    if (format) return { format, because: 'the format was given' };
    const known = readable().map((each) => each.id);
    throw invalid(`There is no format "${id}" that can be brought in. There are: ${known.join(', ')}.`);
  }
  const [best] = await detectFormat(tree, budget);
  const format = readable().find((each) => each.id === best?.format);
  if (!best || !format) throw invalid('No label files of a known format were found among the files.');
  return { format, because: best.because };
}
