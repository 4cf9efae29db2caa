import type { Mask, Shape } from '@/lib/core/mask';
import type { StageKind } from '../stage-kind';

/** What a warning can look at: a label, and what else is known about its picture. */
export type Suspect = {
  stageKind: StageKind;
  mask: Mask | null;
  /** The drawing behind the mask, if there is one. */
  shapes: readonly Shape[];
  /** The mask of the whole object in the same picture. */
  object: Mask | null;
  /** Localised attributes that the label marks, that have no mask and that nobody is asked to draw. */
  undrawn: readonly string[];
};

/** Something about a label that wrong labels show more often than right ones. It proves nothing by itself. */
export type Warning = {
  id: string;
  title: string;
  /** What the curator is told to look for. */
  says: string;
  /** The odds that a label is wrong are multiplied by this. */
  odds: number;
  holds(suspect: Suspect): boolean;
};
