import { kernel } from './kernel';
import type { Mask } from './mask';

/**
 * One area connected through pixel sides, as rings along pixel corners: rasterising them gives exactly its pixels.
 * Outer rings run clockwise on screen, holes counter-clockwise.
 */
export type Region = {
  readonly outer: readonly number[];
  readonly holes: readonly (readonly number[])[];
  /** The region in one of whose holes this one lies, as an index into the same list, or null. */
  readonly parent: number | null;
};

/** The mask as regions, in column-major order of their first pixel. The union of all is the mask. */
export function toRegions(mask: Mask): Region[] {
  return kernel().regions(mask);
}
