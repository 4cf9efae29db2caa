import { type Ring, simplifyRing } from '@/lib/core/geometry';
import { type Mask, toRegions } from '@/lib/core/mask';

export interface SceneOptions {
  /** Any integer; the same options and seed give the same scene, byte for byte. */
  seed: number;
  preset: ScenePreset;
  /** A class of the preset; drawn at random when left out. */
  className?: string;
  width: number;
  height: number;
  /** Ties class to background with this strength (0-1); left out, classes appear in likely places. */
  spurious?: { strength: number };
  /** 0 nothing stands in front, 1 something always does and it is large. */
  occlusion?: number;
  /** 0 large and clear, 1 small, tilted and hazy. */
  difficulty?: number;
}

export type ScenePreset =
  | 'rival10'
  | 'part-imagenet'
  | 'cityscapes-parts'
  | 'pascal-part'
  | 'pascal-part-grouped';

export interface SceneInstance {
  id: number;
  className: string;
  mask: Mask;
  partMasks: Record<string, Mask>;
}

/** A picture with its truth. Masks cover what can be seen; a key is missing where nothing can. */
export interface Scene {
  seed: number;
  width: number;
  height: number;
  className: string;
  wnid?: string;
  background: string;
  svg: string;
  attributes: Record<string, boolean>;
  colours: string[];
  objectMask: Mask;
  attributeMasks: Record<string, Mask>;
  partMasks: Record<string, Mask>;
  /** Visible outlines by `object`, attribute id and part id, for simulated workers to draw after. */
  shapes: Record<string, Ring[]>;
  /** Road users of a street scene, far ones first. */
  instances?: SceneInstance[];
}

/** Outer outlines of the visible area along pixel edges, thinned to `tolerance` pixels. */
export function outlinesOf(mask: Mask, tolerance: number): number[][] {
  return toRegions(mask)
    .map(({ outer }) => [...simplifyRing(outer, tolerance)])
    .filter((ring) => ring.length >= 6);
}
