import type { Mask } from '@/lib/core/mask';
import type { LabelFlag } from '@/lib/core/schema/types';
import type { SourceTree } from '../format';
import { noFacts, type ReadFacts } from './image-record';
import { baseName, type Notes } from './read-tree';
import { describeMaskError } from './segmentation';
import { createLabelTable, readKnown, type Vocabulary } from './vocabulary';

/** An annotation as its file has it. Its category has no meaning yet: that is up to a mapping. */
export interface RawAnnotation {
  /** Empty if the file names none. */
  category: string;
  /** Number of the object if the file assigns annotations to objects; 0 for the image as a whole. */
  instance: number | null;
  /** Annotations of one category and one group are pieces of one mask. */
  group?: number | null;
  flags?: readonly LabelFlag[];
  confidence?: number;
  /** For messages; the image's by default. */
  where?: string;
  /** Why it cannot be imported; follows a number: "shapes of type "line"". */
  problem?: string;
  /** Rasterizes the mask on demand, so that counting annotations costs nothing. Throws `Unreadable`. */
  mask(): Mask | Promise<Mask>;
}

/** An image with its annotations. */
export interface RawImage {
  /** Path of the image file, for messages. */
  path: string;
  name: string;
  /** For messages about its annotations. */
  where: string;
  bytes(): Promise<Uint8Array>;
  split: string | null;
  /** The size in the label files, or null to read it from the image. */
  width: number | null;
  height: number | null;
  facts: ReadFacts;
  /** Categories that the file assigns to the image as a whole. */
  tags: readonly string[];
  /** Short values in the image's record, for rules about class and split. */
  fields: Readonly<Record<string, string>>;
  annotations: readonly RawAnnotation[];
  /** Why neither the image nor its annotations can be imported. */
  problem?: string;
}

/** A category as the label files declare it. */
export interface RawCategory {
  name: string;
  /** The supercategory, or the label that this one is a part of. */
  parent?: string;
  /** Whether `parent` names another label as a whole, rather than a kind of things. */
  isPart?: boolean;
  /** What the format says about the category itself. */
  role?: 'stuff' | 'ignore';
  /** Annotations, if the reader knows their number without reading them. */
  count?: number;
}

/** A dataset before its categories have a meaning. */
export interface RawSource {
  /** The file that lists the categories, for messages. */
  origin: string;
  categories: readonly RawCategory[];
  /** The meaning of categories that is fixed, by a schema file or by the layout itself. */
  known: Vocabulary | null;
  /** The files can contain categories that are not listed. */
  hasOtherCategories?: boolean;
  /** Complete after `images` has ended. */
  notes: Notes;
  images(): AsyncIterable<RawImage>;
}

const MAX_CATEGORY = 500;

/** The name of a category as mappings and the database can store it: without U+0000 and lone surrogates. */
export const cleanCategory = (name: string): string =>
  name.replace(/\0|\p{Surrogate}/gu, '').slice(0, MAX_CATEGORY);

/** Why an annotation has no mask; follows a number: "annotations of area 0". */
export class Unreadable extends Error {}

/** An annotation that cannot be imported. */
export const unreadable = (category: unknown, problem: string, where?: string): RawAnnotation => ({
  category: typeof category === 'string' ? category : '',
  instance: null,
  ...(where !== undefined && { where }),
  problem,
  mask: () => {
    throw new Unreadable(problem);
  },
});

/** Rasterizes on demand. Errors say `what` could not be read: "shapes whose mask has fewer than three points". */
export const lazyMask =
  (what: string, draw: () => Mask | Promise<Mask>): (() => Promise<Mask>) =>
  async () => {
    try {
      return await draw();
    } catch (error) {
      throw new Unreadable(`${what} ${describeMaskError(error)}`);
    }
  };

/** The group of a shape is its object in our own exports, and joins pieces of one mask in others. */
export const ofGroup = (group: number | null, isOurs: boolean): Pick<RawAnnotation, 'instance' | 'group'> =>
  isOurs ? { instance: group ?? 0 } : { instance: null, group };

/** The labels of our own schema file, or those that the files list. */
export async function readCategories(
  tree: SourceTree,
  labels: () => readonly RawCategory[] | Promise<readonly RawCategory[]>,
): Promise<Pick<RawSource, 'known' | 'categories'>> {
  const known = await readKnown(tree);
  if (!known) return { known, categories: await labels() };
  const table = createLabelTable(known.schema);
  return {
    known,
    categories: table.labels.map(({ name, parent }) => ({ name, ...(parent !== '' && { parent }) })),
  };
}

/** An image without annotations. */
export const rawImage = (tree: SourceTree, path: string, split: string | null): RawImage => ({
  path,
  name: baseName(path),
  where: path,
  bytes: () => tree.bytes(path),
  split,
  width: null,
  height: null,
  facts: noFacts,
  tags: [],
  fields: {},
  annotations: [],
});

/** Annotations that belong to no image that can be imported. */
export const lostAnnotations = (
  where: string,
  problem: string,
  annotations: readonly RawAnnotation[],
): RawImage => ({
  path: where,
  name: where,
  where,
  bytes: () => Promise.reject(new Error(problem)),
  split: null,
  width: null,
  height: null,
  facts: noFacts,
  tags: [],
  fields: {},
  annotations,
  problem,
});

const MAX_FIELD = 200;
const MAX_FIELDS = 20;

/** The short scalar values of a record. */
export function fieldsOf(row: Readonly<Record<string, unknown>>): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [key, value] of Object.entries(row).slice(0, 100))
    if (Object.keys(fields).length < MAX_FIELDS && key.length <= 80)
      if (typeof value === 'string' ? value.length <= MAX_FIELD : typeof value === 'boolean')
        fields[key] = String(value);
  return fields;
}
