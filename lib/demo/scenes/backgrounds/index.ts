import type { Light } from '../paint';
import type { Rng } from '../prng';
import { natureBackgrounds } from './nature';
import { townBackgrounds } from './town';
import { waterBackgrounds } from './water';

/** In `water`, figures stand or float at the surface; `deep` is under water. */
export type Surface = 'ground' | 'water' | 'deep' | 'air' | 'floor' | 'street';

export interface Canvas {
  rng: Rng;
  width: number;
  height: number;
}

/** A painted background, with the light and positions that the rest of the scene needs. */
export interface Backdrop {
  svg: string;
  /** y of the line where the ground begins, in pixels. */
  horizon: number;
  light: Light;
  /** Colour of the ground, for occluders and water lines. */
  ground: string;
  /** A translucent layer over the whole scene: evening, night, mist. */
  tint?: { colour: string; opacity: number };
}

export interface Background {
  id: string;
  surface: Surface;
  paint(canvas: Canvas): Backdrop;
}

export const backgrounds: readonly Background[] = [
  ...natureBackgrounds,
  ...waterBackgrounds,
  ...townBackgrounds,
];
