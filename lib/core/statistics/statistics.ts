import type { AttributeKind } from '@/lib/core/schema/types';
import type { Classifier } from './classifier';
import type { AttributePairs } from './correlation';
import type { ClassCounts, FormCounts, PartCounts } from './counts';
import type { Finding } from './findings';
import type { PartPairs } from './part-pairs';
import type { PositionMap } from './position-map';
import type { Sizes } from './sizes';

/** Grows when a figure changes its meaning: what was kept under an older number is computed anew. */
export const statisticsEdition = 1;

/** What a version looks like in numbers: plain values that can be kept as JSON. */
export interface Statistics {
  edition: typeof statisticsEdition;
  name: string;
  hash: string;
  splits: readonly string[];
  classes: readonly Named[];
  attributes: readonly (Named & { kind: AttributeKind })[];
  parts: readonly (Named & { classes: readonly string[] })[];
  totals: Totals;
  /** Images per class and split. */
  classCounts: readonly ClassCounts[];
  /** Per class and split: how many forms were answered, and how often each attribute was marked. */
  formCounts: readonly FormCounts[];
  /** Per part, class and split, counted in objects. */
  partCounts: readonly PartCounts[];
  /** Of the whole version first, then of each split, where there are few. */
  attributePairs: readonly AttributePairs[];
  partPairs: PartPairs;
  sizes: readonly Sizes[];
  positions: readonly PositionMap[];
  /** Missing, contradictory and near-empty labels; only kinds that occur. */
  findings: readonly Finding[];
  classifier: Classifier;
}

export interface Named {
  id: string;
  name: string;
}

export interface Totals {
  images: number;
  forms: number;
  objects: number;
  outlines: number;
  partMasks: number;
  attributeMasks: number;
  /** Images whose masks were left out on purpose. */
  withoutMasks: number;
}
