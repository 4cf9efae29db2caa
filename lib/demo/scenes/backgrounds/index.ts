import type { Light } from '../paint';
import type { Rng } from '../prng';
import { natureBackgrounds } from './nature';
import { townBackgrounds } from './town';
import { waterBackgrounds } from './water';

/** `water` is stood or floated in, `deep` is under water. */
export type Surface = 'ground' | 'water' | 'deep' | 'air' | 'floor' | 'street';

export interface Canvas {
  rng: Rng;
  width: number;
  height: number;
}

/** A painted background and what the rest of the scene must know to sit in it. */
export interface Backdrop {
  svg: string;
  /** y of the line where the ground begins, in pixels. */
  horizon: number;
  light: Light;
  /** Colour of the ground, for occluders and water lines. */
  ground: string;
  /** A veil over everything: evening, night, mist. */
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
