import type { SourceTree } from '@/lib/core/formats/format';
import { treeOf } from '../../../support/formats';

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export const textOf = (files: ReadonlyMap<string, Uint8Array>, path: string): string => {
  const bytes = files.get(path);
  if (!bytes) throw new Error(`there is no ${path}; there are ${[...files.keys()].join(', ')}`);
  return decoder.decode(bytes);
};

// biome-ignore lint/suspicious/noExplicitAny: JSON of foreign shapes, looked at here and there.
export const jsonOf = (files: ReadonlyMap<string, Uint8Array>, path: string): any =>
  JSON.parse(textOf(files, path));

/** A picture of 4 × 3 pixels as far as its header goes, which is all that readers of labels look at. */
export const tinyPng = Uint8Array.from([
  137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 4, 0, 0, 0, 3, 8, 0, 0, 0, 0, 0, 0,
  0, 0,
]);

/** A tree of files that somebody made by hand; objects become JSON. */
export function handmade(files: Readonly<Record<string, unknown>>): SourceTree {
  return treeOf(
    new Map(
      Object.entries(files).map(([path, content]) => [
        path,
        content instanceof Uint8Array
          ? content
          : encoder.encode(typeof content === 'string' ? content : JSON.stringify(content)),
      ]),
    ),
  );
}
