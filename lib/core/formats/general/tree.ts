import type { SourceTree } from '../format';

/** Strings of an engine end near 512 MB; labels of that size come in several files anyway. */
const MOST_TEXT_BYTES = 500 * 1024 * 1024;

/** Paths of a kind, those nearest to the root first. */
export function findPaths(tree: SourceTree, pattern: RegExp): string[] {
  const depth = (path: string) => path.split('/').length;
  return tree.paths
    .filter((path) => pattern.test(path))
    .sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : a > b ? 1 : 0));
}

export async function readText(tree: SourceTree, path: string): Promise<string> {
  const bytes = await tree.bytes(path);
  if (bytes.length > MOST_TEXT_BYTES)
    throw new Error(`${path} is larger than ${MOST_TEXT_BYTES / 1024 ** 2} MB. Split it into several files.`);
  return new TextDecoder('utf-8').decode(bytes);
}

export async function readJson(tree: SourceTree, path: string): Promise<unknown> {
  const text = await readText(tree, path);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON (${error instanceof Error ? error.message : 'it cannot be read'}).`);
  }
}

const remembered = new WeakMap<SourceTree, Map<string, Promise<unknown>>>();

/** The same tree for many who guess: JSON is parsed once for all of them, which must not change it. */
export function rememberingTree(tree: SourceTree): SourceTree {
  const same = { ...tree, bytes: (path: string) => tree.bytes(path) };
  remembered.set(same, new Map());
  return same;
}

/** JSON that may be something else entirely: for guessing. */
export async function tryJson(tree: SourceTree, path: string): Promise<unknown> {
  const known = remembered.get(tree);
  const found = known?.get(path) ?? readJson(tree, path).catch(() => null);
  known?.set(path, found);
  return found;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

const PICTURE = /\.(jpe?g|png|webp|tiff?|gif|avif|bmp)$/i;
export const isPicture = (path: string): boolean => PICTURE.test(path);

/**
 * Finds pictures by what label files call them. A bare name may be anywhere; where a folder is named, the picture must
 * be in one of that name: another's picture of the same name would get the labels.
 */
export class PicturePaths {
  readonly #byEnd = new Map<string, string[]>();
  readonly count: number;

  constructor(tree: SourceTree, filter: (path: string) => boolean = () => true) {
    const pictures = tree.paths.filter((path) => PICTURE.test(path) && filter(path));
    this.count = pictures.length;
    for (const path of pictures) {
      const name = baseName(path);
      const known = this.#byEnd.get(name);
      if (known) known.push(path);
      else this.#byEnd.set(name, [path]);
    }
  }

  /** `near`: a folder whose pictures are meant where a name is there twice. */
  find(given: string, near = ''): string | null {
    const wanted = withoutDots(given);
    const candidates = this.#byEnd.get(wanted.at(-1) ?? '') ?? [];
    const shared = candidates.map((path) => sharedEnd(wanted, path.split('/')));
    const most = shared.reduce((a, b) => Math.max(a, b), Math.min(2, wanted.length));
    const fitting = candidates.filter((_, at) => shared[at] === most);
    if (fitting.length < 2) return fitting[0] ?? null;
    const close = near === '' ? [] : fitting.filter((path) => `/${path}`.includes(`/${near}/`));
    return close.length === 1 ? (close[0] as string) : null;
  }
}

/** The names of a path; what climbs out of it is left out. */
function withoutDots(given: string): string[] {
  const names: string[] = [];
  for (const name of given.replaceAll('\\', '/').split('/'))
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  return names;
}

/** How many names two paths have in common at their ends. */
function sharedEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a.at(-1 - count) === b.at(-1 - count)) count++;
  return count;
}

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
