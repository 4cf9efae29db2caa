import type { Mask } from '@/lib/core/mask';
import type { DatasetSchema } from '@/lib/core/schema/types';

/** Where a label comes from, without saying from whom. */
export type LabelSource = 'answer' | 'consensus' | 'correction' | 'import' | 'generator';

export interface Provenance {
  source: LabelSource;
  /** The chance that the label is right, 0 to 1. */
  confidence: number;
}

/** A part of an object, or a localised attribute, with where it is. */
export interface MaskLabel extends Provenance {
  /** Id of the part or attribute in the schema. */
  id: string;
  mask: Mask;
}

/** One thing in a picture. The first of an image is the one the picture is of. */
export interface ObjectLabel {
  className: string | null;
  /** From 1, within the image. */
  instance: number;
  /** The whole object; null where nobody drew it. */
  outline: (Provenance & { mask: Mask }) | null;
  parts: MaskLabel[];
  /** Ids of parts that somebody looked for and did not find. */
  absent: string[];
}

/** The stored pixels of a picture, or a window on them. */
export interface PictureRef {
  sha256: string;
  mediaType: string;
  /** In pixels of the stored picture; what lies outside of it is black. The image's own size is the window's. */
  window?: { x: number; y: number; width: number; height: number };
}

export interface DatasetImage {
  /** A label for people, as it was given: "dog_0001.jpg". Never a path. */
  name: string;
  className: string | null;
  wnid: string | null;
  groupKey: string | null;
  columns: Readonly<Record<string, string>>;
  split: string;
  width: number;
  height: number;
  picture: PictureRef;
  /** Ids of the attributes that are there; null where nobody was asked. */
  attributes: (Provenance & { present: string[] }) | null;
  /** Masks of localised attributes. */
  attributeMasks: MaskLabel[];
  /** Empty where nothing was drawn. */
  objects: ObjectLabel[];
  /** False where only the class may be used: the image's masks were left out on purpose (label fractions). */
  hasMasks: boolean;
  /**
   * The objects as they were drawn, where `objects` were emptied or changed on the way to a format. For choosing only
   * (the largest object, what is cut out): never written.
   */
  original?: { objects: ObjectLabel[] };
}

/** A version as exporters, statistics and trainers see it: one image in memory at a time, always in the same order. */
export interface Dataset {
  /** Of the project. */
  name: string;
  /** Of the version's manifest; names the content. */
  hash: string;
  schema: DatasetSchema;
  /** In the order in which they are told: train, val, test. */
  splits: readonly string[];
  count: number;
  licence: string;
  /** May be called again and again. */
  images(): AsyncIterable<DatasetImage>;
}
