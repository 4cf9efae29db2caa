import type { Picture } from '../../picture';
import type { Rng } from '../../random';
import type { VariantContext } from '../../types';

/** A common corruption with the parameters of ImageNet-C (Hendrycks and Dietterich 2019). */
export interface Corruption {
  id: string;
  description: string;
  apply(
    picture: Picture,
    severity: number,
    rng: Rng,
    context: Pick<VariantContext, 'compressJpeg'>,
  ): Picture | Promise<Picture>;
}

export const severities = [1, 2, 3, 4, 5] as const;

/** One value for each severity. */
export type BySeverity<T> = readonly [T, T, T, T, T];

export const ofSeverity = <T>(values: BySeverity<T>, severity: number): T => values[severity - 1] as T;

/** Radii, shifts and blurs are in pixels at this size and scale with the shorter side. */
const SIDE = 224;
export const sizeScale = ({ width, height }: Picture): number => Math.min(width, height) / SIDE;
