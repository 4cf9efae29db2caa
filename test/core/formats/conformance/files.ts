/** Exported files as loaders open them. */
export type Files = ReadonlyMap<string, Uint8Array>;

const decoder = new TextDecoder();

export function bytesAt(files: Files, path: string): Uint8Array {
  const bytes = files.get(path);
  if (!bytes) throw new Error(`FileNotFoundError: ${path}`);
  return bytes;
}

export const textAt = (files: Files, path: string): string => decoder.decode(bytesAt(files, path));

// biome-ignore lint/suspicious/noExplicitAny: JSON as scripts without types read it.
export const jsonAt = (files: Files, path: string): any => JSON.parse(textAt(files, path));

/** Paths that match, sorted as `sorted(glob(...))` does. */
export const glob = (files: Files, pattern: RegExp): string[] =>
  [...files.keys()].filter((path) => pattern.test(path) && !path.endsWith('/')).sort();

/** The sub-folders of a folder, from the paths in it. */
export const folders = (files: Files, root: string): string[] =>
  [
    ...new Set(
      [...files.keys()].flatMap((path) => (path.startsWith(`${root}/`) ? [path.slice(root.length + 1)] : [])),
    ),
  ]
    .flatMap((rest) => (rest.includes('/') ? [rest.slice(0, rest.indexOf('/'))] : []))
    .filter((name, index, all) => all.indexOf(name) === index)
    .sort();

export function require(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

export const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');
