import { type Mask, merge } from '@/lib/core/mask';
import type { DatasetSchema, LabelFlag } from '@/lib/core/schema/types';

/** How a label was created. It does not name a person. */
export type LabelSource = 'answer' | 'consensus' | 'correction' | 'import' | 'generator';

export interface Provenance {
  source: LabelSource;
  /** Probability that the label is right, 0 to 1. */
  confidence: number;
}

export interface DrawnLabel extends Provenance {
  mask: Mask;
  /** In the order of `labelFlags`; undefined if there are none. */
  flags?: readonly LabelFlag[];
}

/** The mask of a part or of a localised attribute. */
export interface MaskLabel extends DrawnLabel {
  /** Id of the part or attribute in the schema. */
  id: string;
  /**
   * The masks of the single instances, such as the wheels of a car, if there are at least two. Their union is `mask`.
   * Change masks with `mapMasks`, which keeps both consistent.
   */
  instances?: readonly Mask[];
}

/**
 * An object in an image, or a region of a stuff class. The first one is the main object. Sub-parts are in `parts` like
 * parts; the schema knows their parent.
 */
export interface ObjectLabel {
  className: string | null;
  /** From 1, within the image. */
  instance: number;
  /** The whole object, or null if it was not drawn. */
  outline: DrawnLabel | null;
  parts: MaskLabel[];
  /** Ids of parts that were searched for and not found. */
  absent: string[];
}

/** A stored image file, or a region of it (the window). */
export interface PictureRef {
  sha256: string;
  mediaType: string;
  /** In pixels of the stored file; pixels outside of it are black. The image then has the size of this region. */
  window?: { x: number; y: number; width: number; height: number };
}

export interface DatasetImage {
  /** The name as it was uploaded, such as "dog_0001.jpg". For display only; never use it as a path. */
  name: string;
  className: string | null;
  wnid: string | null;
  groupKey: string | null;
  columns: Readonly<Record<string, string>>;
  split: string;
  width: number;
  height: number;
  picture: PictureRef;
  /** Ids of the attributes that are present, or null if they were never annotated. */
  attributes: (Provenance & { present: string[] }) | null;
  /** Masks of localised attributes. */
  attributeMasks: MaskLabel[];
  /** Empty if nothing was drawn. */
  objects: ObjectLabel[];
  /** False if the masks were left out on purpose (label fractions), so that only the class can be used. */
  hasMasks: boolean;
  /**
   * The objects as drawn, if an option changed or removed `objects`. Used to choose the largest object or a crop; never
   * written.
   */
  original?: { objects: ObjectLabel[] };
}

/** A version as exporters, statistics and trainers read it: one image at a time, always in the same order. */
export interface Dataset {
  /** Name of the project. */
  name: string;
  /** SHA-256 of the version's manifest. */
  hash: string;
  schema: DatasetSchema;
  /** In display order: train, val, test. */
  splits: readonly string[];
  count: number;
  licence: string;
  /** Can be called repeatedly. */
  images(): AsyncIterable<DatasetImage>;
}

/** The masks of a label, one per instance. */
export const instanceMasks = ({ mask, instances }: Pick<MaskLabel, 'mask' | 'instances'>): readonly Mask[] =>
  instances ?? [mask];

/** Applies a function to every mask of a label. */
export function mapMasks<T extends { mask: Mask; instances?: readonly Mask[] }>(
  label: T,
  change: (mask: Mask) => Mask,
): T {
  if (!label.instances) return { ...label, mask: change(label.mask) };
  const instances = label.instances.map(change);
  return { ...label, mask: merge(instances), instances };
}
