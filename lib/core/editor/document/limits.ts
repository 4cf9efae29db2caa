/** Vertices of all shapes of one document together; the answer form allows as many in a single ring. */
export const MAX_VERTICES = 100_000;

/** Shapes of one label, and holes of one polygon: the bounds of the answer form. */
export const MAX_SHAPES = 5000;
export const MAX_HOLES = 1000;

/**
 * Steps per pixel of a freely placed point; a point that snaps to a vertex takes its coordinates as they are. Finer than the fifth of a pixel that the mask rule sees, exact in
 * binary, and at most four decimals in JSON.
 */
const STEPS_PER_PIXEL = 16;

export function onGrid(coordinate: number): number {
  // Adding 0 turns −0, which JSON cannot keep, into 0.
  return Math.round(coordinate * STEPS_PER_PIXEL) / STEPS_PER_PIXEL + 0;
}
