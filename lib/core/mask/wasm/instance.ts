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
