import type { DatasetSchema } from '@/lib/core/schema/types';
import type { Source, SourceImage, SourceTree } from '../format';

/** V8 strings are limited to about 512 MB. */
const MAX_TEXT_BYTES = 500 * 1024 * 1024;

/** Finds the paths that match a pattern, those nearest to the root first. */
export function findPaths(tree: SourceTree, pattern: RegExp): string[] {
  const depth = (path: string) => path.split('/').length;
  return tree.paths
    .filter((path) => pattern.test(path))
    .sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : a > b ? 1 : 0));
}

export async function readText(tree: SourceTree, path: string): Promise<string> {
  const bytes = await tree.bytes(path);
  if (bytes.length > MAX_TEXT_BYTES)
    throw new Error(`${path} is larger than ${MAX_TEXT_BYTES / 1024 ** 2} MB. Split it into several files.`);
  return new TextDecoder('utf-8').decode(bytes);
}

export async function readJson(tree: SourceTree, path: string): Promise<unknown> {
  const text = await readText(tree, path);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidJson(`${path} is ${describeJsonError(text, error)}.`);
  }
}

export class InvalidJson extends Error {}

/** Says where JSON stops being valid: "truncated JSON (it ends at byte 120)" or "not valid JSON (byte 17)". */
export function describeJsonError(text: string, error: unknown): string {
  if (text.trim() === '') return 'an empty file';
  const message = error instanceof Error ? error.message : '';
  const byteAt = (place: number) => encoder.encode(text.slice(0, place)).length;
  const place = placeOf(text, message);
  if (/end of JSON|unterminated/i.test(message) || (place !== null && place >= text.trimEnd().length))
    return `truncated JSON (it ends at byte ${byteAt(text.length)})`;
  return place === null ? 'not valid JSON' : `not valid JSON (byte ${byteAt(place)})`;
}

/** V8 gives the position of an error, or up to ten characters before and after it. */
function placeOf(text: string, message: string): number | null {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  const [, token = '', dots, context = ''] =
    /token '(.+?)', (\.\.\.)?"([\s\S]*)"(?:\.\.\.)? is not valid JSON$/.exec(message) ?? [];
  const start = context === '' ? -1 : text.indexOf(context);
  return start < 0 ? null : start + (dots ? 10 : Math.max(0, context.indexOf(token)));
}

const encoder = new TextEncoder();

const jsonCaches = new WeakMap<SourceTree, Map<string, Promise<unknown>>>();

/** Caches parsed JSON for format detection, so that all readers share one parse. Readers must not modify it. */
export function withJsonCache(tree: SourceTree): SourceTree {
  const same = { ...tree, bytes: (path: string) => tree.bytes(path) };
  jsonCaches.set(same, new Map());
  return same;
}

/** Parses JSON for format detection. Returns null if the file is not JSON. */
export async function tryJson(tree: SourceTree, path: string): Promise<unknown> {
  const known = jsonCaches.get(tree);
  const found = known?.get(path) ?? readJson(tree, path).catch(() => null);
  known?.set(path, found);
  return found;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asRecords = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

const IMAGE_FILE = /\.(jpe?g|png|webp|tiff?|gif|avif|hei[cf]|bmp)$/i;
export const isPicture = (path: string): boolean => IMAGE_FILE.test(path);

/**
 * Finds images by the paths in label files. A bare name may be in any folder. If the path names a folder, the image
 * must be in a folder of that name; otherwise labels could go to an image of the same name elsewhere.
 */
export class PicturePaths {
  readonly #byEnd = new Map<string, string[]>();
  readonly count: number;

  constructor(tree: SourceTree, filter: (path: string) => boolean = () => true) {
    const pictures = tree.paths.filter((path) => IMAGE_FILE.test(path) && filter(path));
    this.count = pictures.length;
    for (const path of pictures) {
      const name = baseName(path);
      const known = this.#byEnd.get(name);
      if (known) known.push(path);
      else this.#byEnd.set(name, [path]);
    }
  }

  /** `near`: the preferred folder if the name is ambiguous. */
  find(given: string, near = ''): string | null {
    const wanted = resolveDots(given);
    const candidates = this.#byEnd.get(wanted.at(-1) ?? '') ?? [];
    const shared = candidates.map((path) => countSharedEnd(wanted, path.split('/')));
    const most = shared.reduce((a, b) => Math.max(a, b), Math.min(2, wanted.length));
    const fitting = candidates.filter((_, at) => shared[at] === most);
    if (fitting.length < 2) return fitting[0] ?? null;
    const close = near === '' ? [] : fitting.filter((path) => `/${path}`.includes(`/${near}/`));
    return close.length === 1 ? (close[0] as string) : null;
  }
}

/** Splits a path and resolves `.` and `..`; it cannot leave the root. */
function resolveDots(given: string): string[] {
  const names: string[] = [];
  for (const name of given.replaceAll('\\', '/').split('/'))
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  return names;
}

/** Counts the trailing segments that two paths share. */
function countSharedEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a.at(-1 - count) === b.at(-1 - count)) count++;
  return count;
}

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** A hostile file could contain a different error for every mask. */
const MAX_KINDS = 60;
const OTHER_PROBLEMS = 'other things that cannot be read were left out';

/** Collects what a reader left out: one sentence per kind with a count and the first location. */
export class Notes {
  readonly #found = new Map<string, { count: number; first: string }>();
  readonly list: string[] = [];

  /** `base`: sentences of another collection, which can still grow. */
  constructor(private readonly base: readonly string[] = []) {}

  all(): string[] {
    return [...this.base, ...this.list];
  }

  /** `what` follows a number: "annotations without a mask". */
  add(what: string, where: string): void {
    if (this.#found.size >= MAX_KINDS && what !== OTHER_PROBLEMS && !this.#found.has(what)) {
      this.add(OTHER_PROBLEMS, where);
      return;
    }
    const known = this.#found.get(what);
    if (known) known.count += 1;
    else this.#found.set(what, { count: 1, first: where });
    this.list.length = 0;
    for (const [kind, { count, first }] of this.#found)
      this.list.push(`${count} × ${kind} (first: ${first}).`);
  }
}

/** Returns the split in a file or folder name: "instances_train2017.json" and "trainingset" → "train". */
export function parseSplit(name: string): string | null {
  const found =
    /(?:^|[_\-./ ])(train|training|val|valid|validation|test|testing)(?:[_-]?sets?)?(?=$|[_\-./ \d])/i.exec(
      name,
    );
  const word = found?.[1]?.toLowerCase();
  if (word === undefined) return null;
  return word.startsWith('train') ? 'train' : word.startsWith('val') ? 'val' : 'test';
}

/** Reads the size from an image header, before EXIF rotation. Returns null for unknown formats. */
export function readPictureSize(bytes: Uint8Array): { width: number; height: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts = (text: string, at = 0) =>
    [...text].every((letter, i) => bytes[at + i] === letter.charCodeAt(0));
  if (bytes.length >= 24 && starts('\x89PNG'))
    return { width: view.getUint32(16), height: view.getUint32(20) };
  if (bytes.length >= 4 && bytes[0] === 0xff && bytes[1] === 0xd8) return jpegSize(view);
  if (bytes.length >= 10 && starts('GIF8'))
    return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (bytes.length >= 30 && starts('RIFF') && starts('WEBP', 8))
    return webpSize(view, String.fromCharCode(...bytes.subarray(12, 16)));
  return null;
}

/** Skips segments up to the frame header (marker C0 to CF except C4, C8 and CC). */
function jpegSize(view: DataView): { width: number; height: number } | null {
  for (let at = 2; at + 9 < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

function webpSize(view: DataView, kind: string): { width: number; height: number } | null {
  if (kind === 'VP8 ')
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  if (kind !== 'VP8X') return null;
  const three = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16) + 1;
  return { width: three(24), height: three(27) };
}

export { importProvenance } from './annotations';

/** Creates an image without labels. */
export function emptyImage(tree: SourceTree, path: string, split: string | null): SourceImage {
  return {
    path,
    bytes: () => tree.bytes(path),
    name: baseName(path),
    className: null,
    wnid: null,
    groupKey: null,
    columns: {},
    split,
    width: null,
    height: null,
    attributes: null,
    attributeMasks: [],
    objects: [],
    hasMasks: true,
  };
}

/** Creates a source that reads images one by one. Unreadable images are reported and left out. */
export function createSource<Entry>(
  schema: DatasetSchema,
  entries: readonly Entry[],
  nameOf: (entry: Entry) => string,
  read: (entry: Entry, notes: Notes) => Promise<SourceImage | null>,
): Source {
  const notes = new Notes();
  return {
    schema,
    notes: notes.list,
    async *images() {
      for (const entry of entries) {
        try {
          const image = await read(entry, notes);
          if (image) yield image;
        } catch (error) {
          const why = error instanceof Error ? error.message : 'it cannot be read';
          notes.add(`images were left out: ${why}`, nameOf(entry));
        }
      }
    },
  };
}

/** The paths as a set, for lookups. */
export const pathSet = (tree: SourceTree): ReadonlySet<string> => new Set(tree.paths);
