import type { Region } from '../regions';
import type { WasmExports } from './instance';

/**
 * Linear memory never shrinks, and vectorising noise needs about 50 bytes of it per toggle; masks of more toggles than
 * this take the TypeScript path, which gives its memory back.
 */
export const MAX_TRACED = 2 ** 22;

/** The rings that `traceRegions` has laid out, as regions; an outer ring always comes before its holes. */
export function readRegions(wasm: WasmExports, count: number): Region[] {
  const words = new Uint32Array(wasm.memory.buffer);
  const rings = (wasm.ringsAt() >>> 0) / 4;
  const points = (wasm.pointsAt() >>> 0) / 4;
  const regions: { outer: number[]; holes: number[][]; parent: number | null }[] = [];
  let from = 0;
  for (let ring = rings; ring < rings + 4 * count; ring += 4) {
    const to = 2 * (words[ring] as number);
    const flat = new Array<number>(to - from);
    for (let i = from; i < to; i++) flat[i - from] = words[points + i] as number;
    const parent = (words[ring + 3] as number) | 0;
    if (words[ring + 1] === 0) regions.push({ outer: flat, holes: [], parent: parent < 0 ? null : parent });
    else regions[words[ring + 2] as number]?.holes.push(flat);
    from = to;
  }
  return regions;
}
