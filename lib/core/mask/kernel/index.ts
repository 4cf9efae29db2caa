import type { Ring } from '@/lib/core/geometry';
import type { Mask } from '../mask';
import type { Region } from '../regions';
import { plainKernel } from './plain';
import { createWasmKernel } from './wasm';

let chosen: Kernel = createWasmKernel() ?? plainKernel;

/** The path in use: WebAssembly where it can run, else TypeScript. */
export function kernel(): Kernel {
  return chosen;
}

/** For tests and benchmarks that hold both paths to the same answers. */
export function chooseKernel(next: Kernel): void {
  chosen = next;
}

/**
 * The inner loops, on toggles as a Mask holds them. Input has been checked. There are two implementations with the
 * same answers: TypeScript, and WebAssembly with SIMD.
 */
export type Kernel = {
  readonly name: 'plain' | 'wasm';
  /** A ring by COCO's rule. */
  rasterize(ring: Ring, height: number, width: number): Uint32Array;
  /** Pixel by pixel, bit (pixel of a) + 2 · (pixel of b) of `table`. */
  combine(a: Toggles, b: Toggles, table: number): Uint32Array;
  /** Number of pixels in both. */
  overlap(a: Toggles, b: Toggles): number;
  /** Common pixels over what `against` says; NaN when that is nothing. */
  overlapRatio(a: Toggles, b: Toggles, against: RatioBase): number;
  /** COCO's IoU of all pairs, row per answer; `crowd` has a mark per truth. */
  iouMatrix(
    answers: readonly Toggles[],
    truths: readonly Toggles[],
    height: number,
    crowd: readonly boolean[],
  ): Float64Array;
  /** Row-major bytes; non-zero is foreground. */
  encodeRows(bytes: Uint8Array, height: number, width: number): Uint32Array;
  /** Column-major bytes; non-zero is foreground. */
  encodeColumns(bytes: Uint8Array): Uint32Array;
  /** Draws 1 on `target`, row-major and all 0. */
  decodeRows(toggles: Toggles, height: number, width: number, target: Uint8Array): void;
  /** Fills `target`, column-major, with 0 and 1. */
  decodeColumns(toggles: Toggles, target: Uint8Array): void;
  /** COCO's compressed string. */
  writeCounts(toggles: Toggles): string;
  /** Reads a compressed string of `end` pixels without empty runs inside; nothing when it is anything else. */
  readCounts(text: string, end: number): Uint32Array | undefined;
  /** Rings along pixel corners, by region. */
  regions(mask: Mask): Region[];
};

/** Truth tables over (pixel of a) + 2 · (pixel of b), one bit per case. */
export const TABLES = { union: 0b1110, intersection: 0b1000, difference: 0b0010, exclusive: 0b0110 };

/** What common pixels are measured against: the union, the first mask, or half of both added (Dice). */
export const UNION = 0;
export const FIRST = 1;
export const MEAN = 2;
export type RatioBase = typeof UNION | typeof FIRST | typeof MEAN;

export type Toggles = Readonly<Uint32Array>;

/** Turns ascending flip positions into toggles: two equal ones cancel, one at `end` says nothing. Overwrites them. */
export function settle(positions: Uint32Array, count: number, end: number): Uint32Array {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const position = positions[i] as number;
    if (kept > 0 && positions[kept - 1] === position) kept--;
    else positions[kept++] = position;
  }
  if (kept > 0 && positions[kept - 1] === end) kept--;
  const toggles = new Uint32Array(kept + 1);
  toggles.set(positions.subarray(0, kept));
  toggles[kept] = end;
  return toggles;
}
