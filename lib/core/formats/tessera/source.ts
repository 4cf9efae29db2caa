import type { DatasetSchema } from '@/lib/core/schema/types';
import type { Source, SourceImage, SourceTree } from '../format';
import { Notes } from '../general/notes';
import { baseName } from '../general/tree';

export { imported } from '../general/things';

/** An image without labels, to be filled in. */
export function bareImage(tree: SourceTree, path: string, split: string | null): SourceImage {
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

/** Images read one after the other; what cannot be read is noted and left out. */
export function sourceOf<Entry>(
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

/** For asking whether a file is there. */
export const pathSet = (tree: SourceTree): ReadonlySet<string> => new Set(tree.paths);
