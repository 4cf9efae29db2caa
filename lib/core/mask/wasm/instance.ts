import type { Region } from '../regions';
import { MODULE_BASE64 } from './module';

/** What kernel.as exports. Pointers are byte offsets into `memory`; counts are in toggles. */
export type WasmExports = {
  readonly memory: WebAssembly.Memory;
  reserve(end: number): void;
  resultAt(): number;
  polygon(ring: number, points: number, height: number, width: number, free: number): number;
  frame(toggles: number, count: number): void;
  intersect(a: number, na: number, b: number, nb: number, out: number): number;
  subtract(a: number, na: number, b: number, nb: number, out: number): number;
  unite(a: number, na: number, b: number, nb: number, out: number): number;
  combinedAt(): number;
  overlap(a: number, na: number, b: number, nb: number): number;
  overlapRatio(a: number, na: number, b: number, nb: number, against: number): number;
  encodeRows(bytes: number, height: number, width: number, free: number): number;
  encodeColumns(bytes: number, length: number, free: number): number;
  erase(bytes: number, width: number): void;
  markRuns(toggles: number, count: number, height: number, width: number, bytes: number): void;
  markRing(
    ring: number,
    points: number,
    height: number,
    width: number,
    bytes: number,
    plane: number,
    free: number,
  ): void;
  carry(bytes: number, width: number, planes: number): void;
  decodeRows(
    toggles: number,
    count: number,
    height: number,
    width: number,
    bytes: number,
    boxAt: number,
  ): void;
  decodeColumns(toggles: number, count: number, length: number, bytes: number): void;
  writeCounts(toggles: number, count: number, out: number): number;
  readCounts(text: number, length: number, end: number, out: number): number;
  frameAll(list: number, count: number): void;
  traceRegions(toggles: number, count: number, height: number, width: number, free: number): number;
  ringsAt(): number;
  pointsAt(): number;
  measureAreas(list: number, count: number, areas: number): void;
  measureBoxes(list: number, count: number, height: number, boxes: number): void;
  matrix(
    list: number,
    answers: number,
    truths: number,
    areas: number,
    boxes: number,
    crowd: number,
    out: number,
  ): void;
};

let compiled: WebAssembly.Module | null | undefined;

/** A fresh instance with its own memory, or nothing where WebAssembly SIMD is missing or forbidden. */
export function instantiate(): WasmExports | undefined {
  if (compiled === undefined) compiled = compile();
  if (!compiled) return undefined;
  return new WebAssembly.Instance(compiled, { env: { abort: unreachable } }).exports as WasmExports;
}

/** Compiled from the text in this bundle, not fetched: works in a page, a worker and Node alike. */
function compile(): WebAssembly.Module | null {
  try {
    const bytes = Uint8Array.from(atob(MODULE_BASE64), (letter) => letter.charCodeAt(0));
    return new WebAssembly.Module(bytes);
  } catch {
    // No SIMD, or a content security policy without 'wasm-unsafe-eval': the TypeScript path does the work.
    return null;
  }
}

function unreachable(): never {
  throw new Error('the mask kernel aborted');
}

/** Where a batch of masks lies in linear memory, as matrix.as reads it. All in bytes. */
export class BatchLayout {
  readonly count: number;
  readonly list: number;
  readonly areas: number;
  readonly boxes: number;
  readonly end: number;
  readonly #masks: readonly Readonly<Uint32Array>[];
  readonly #toggles: number;

  constructor(base: number, masks: readonly Readonly<Uint32Array>[]) {
    this.#masks = masks;
    this.count = masks.length;
    this.list = base;
    this.areas = this.list + 8 * masks.length;
    this.boxes = aligned(this.areas + 4 * masks.length);
    this.#toggles = this.boxes + 16 * masks.length;
    this.end = aligned(this.#toggles + 4 * masks.reduce((sum, mask) => sum + framedLength(mask), 0));
  }

  /** To be followed by the module's `frameAll`. */
  write(words: Uint32Array): void {
    let at = this.#toggles / 4 + 1;
    this.#masks.forEach((mask, i) => {
      words[this.list / 4 + 2 * i] = 4 * at;
      words[this.list / 4 + 2 * i + 1] = mask.length;
      words.set(mask, at);
      at += framedLength(mask);
    });
  }
}

/** In words, with the one in front and the two behind that runs.as asks for. */
function framedLength(mask: Readonly<Uint32Array>): number {
  return mask.length + 3;
}

function aligned(pointer: number): number {
  return (pointer + 15) & ~15;
}

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
