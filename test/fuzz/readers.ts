import { formats } from '@/lib/core/formats';
import type { Format } from '@/lib/core/formats/format';
import type { Rng } from '@/lib/core/robustness/random';
import { partDataset, readAllImages } from '../core/formats/support/dataset-files';
import { treeOf, written } from '../support/formats';
import { type HostileFile, mangled } from './files';
import { hostileNumbers, hostileTexts, pick } from './hostile';

type Files = ReadonlyMap<string, Uint8Array>;

/** Every format that can be read, with files of it that are in order. */
export async function goodFiles({ withParquet = false } = {}): Promise<{ format: Format; files: Files }[]> {
  const dataset = await partDataset();
  // Parquet is read in a process of its own (`proveParquet`): what its library does to that one is no fault of ours.
  const readable = formats.filter(({ id, reader }) => reader && (withParquet || id !== 'hf-parquet'));
  const all: { format: Format; files: Files }[] = [];
  for (const format of readable) {
    const files = await written(format, dataset).catch(() => new Map<string, Uint8Array>());
    all.push({ format, files });
  }
  return all;
}

/** A file of the tree is spoiled, replaced, renamed or left out. */
export function spoiled(files: Files, hostile: readonly HostileFile[], chance: Rng): Files {
  const copy = new Map(files);
  const changes = 1 + chance.below(3);
  for (let n = 0; n < changes; n++) {
    const names = [...copy.keys()].filter((name) => !/\.(jpe?g|JPEG)$/.test(name) || chance.below(10) === 0);
    if (names.length === 0) return new Map(hostile.map(({ name, bytes }) => [name, bytes]));
    const name = pick(names, chance);
    const bytes = Buffer.from(copy.get(name) as Uint8Array);
    switch (chance.below(6)) {
      case 0:
        copy.delete(name);
        break;
      case 1:
        copy.set(name, pick(hostile, chance).bytes);
        break;
      case 2:
        copy.set(name, mangled(bytes, chance));
        break;
      case 3:
        copy.delete(name);
        copy.set(`${pick(hostileTexts, chance).slice(0, 300)}/${name}`, bytes);
        break;
      default:
        copy.set(name, rewritten(bytes, chance));
    }
  }
  return copy;
}

/** Text with a value of it replaced by one that nobody hoped for. */
function rewritten(bytes: Buffer, chance: Rng): Buffer {
  const text = bytes.toString('utf8');
  const values = [...text.slice(0, 200_000).matchAll(/-?\d+(\.\d+)?|"[^"\n]{0,80}"|\b\w+\b/g)];
  const value = values[chance.below(Math.max(1, values.length))];
  if (!value || text.includes('\ufffd')) return mangled(bytes, chance);
  const number = pick(hostileNumbers, chance);
  const replacement = pick(
    [String(number), JSON.stringify(pick(hostileTexts, chance)), 'null', '[]', '{}', '"', '[[null]]', ''],
    chance,
  );
  return Buffer.from(text.slice(0, value.index) + replacement + text.slice(value.index + value[0].length));
}

/** A refusal is a sentence; these are faults of our own, whatever the file was. */
const isFault = (error: unknown) =>
  error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;

/** What went wrong in reading, or null. */
export async function readHostile(format: Format, files: Files): Promise<string | null> {
  const tree = treeOf(files);
  try {
    await format.reader?.detect(tree);
  } catch (error) {
    if (isFault(error)) return `${format.id} detect: ${(error as Error).stack?.slice(0, 500)}`;
  }
  try {
    await readAllImages(format, tree);
  } catch (error) {
    if (isFault(error)) return `${format.id} read: ${(error as Error).stack?.slice(0, 500)}`;
  }
  return null;
}
