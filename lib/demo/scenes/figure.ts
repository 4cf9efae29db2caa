import type { Surface } from './backgrounds';
import type { Outline, Point } from './curves';
import type { ColourName, Tone } from './palette';
import type { Rng } from './prng';

/** `backdrop` continues the ground of the background, so that water closes over a hull without a seam. */
export type Finish =
  | 'plain'
  | 'backdrop'
  | 'fur'
  | 'feather'
  | 'scale'
  | 'moist'
  | 'metal'
  | 'glass'
  | 'rubber'
  | 'cloth';

/** A stroke or patch that decorates a layer and is cut off at the layer's outline. */
export interface Mark {
  points: readonly Point[];
  closed?: boolean;
  fill?: string;
  stroke?: string;
  /** In the figure's units. */
  width?: number;
  opacity?: number;
}

/** One painted area. What it is called in every vocabulary stands in `tags`. */
export interface Layer {
  outlines: readonly Outline[];
  tags: readonly string[];
  tone: Tone;
  finish: Finish;
  marks?: readonly Mark[];
}

export type Side = 'l' | 'r';

/** Figures are drawn facing right; `facing` −1 mirrors them afterwards. */
export interface Stance {
  rng: Rng;
  facing: 1 | -1;
  /** The side of its own body that the figure turns to the viewer, and the other one. */
  near: Side;
  far: Side;
  /** What it is going to stand on: a plane keeps its wheels up over water. */
  surface: Surface;
}

export interface Figure {
  /** Back to front. */
  layers: Layer[];
  /** Whole-object attributes that this figure shows by its look. */
  traits: string[];
  /** A colour that marks, not layers, bring in, and the share of the figure they cover. */
  markColour?: { name: ColourName; share: number };
  /** Off the ground: no contact shadow, never in water. */
  airborne?: boolean;
  /** Fraction of the height that lies under the surface when it stands or floats in water. */
  draught: number;
}

export function stance(rng: Rng, facing: 1 | -1, surface: Surface): Stance {
  // An animal that faces right shows its right side.
  return facing === 1
    ? { rng, facing, near: 'r', far: 'l', surface }
    : { rng, facing, near: 'l', far: 'r', surface };
}

export function layer(
  outlines: Outline | readonly Outline[],
  tags: string,
  tone: Tone,
  finish: Finish = 'plain',
  marks: readonly Mark[] = [],
): Layer {
  const list = isOutline(outlines) ? [outlines] : outlines;
  return { outlines: list, tags: tags.split(' ').filter(Boolean), tone, finish, marks };
}

function isOutline(value: Outline | readonly Outline[]): value is Outline {
  return typeof value[0]?.[0] === 'number';
}
