import type { Ring } from '@/lib/core/geometry';
import type { Mask } from '../mask';
import type { Region } from '../regions';
import { BatchLayout, instantiate, MAX_TRACED, readRegions, type WasmExports } from '../wasm/instance';
import { type Kernel, type RatioBase, TABLES, type Toggles } from '.';
import { plainKernel } from './plain';

/** Where a call lays out its data: behind what the module itself may use. A multiple of 16. */
const BASE = 1024;

/** Words that runs.as wants in front of and behind the toggles of a mask. */
const FRONT = 1;
const BEHIND = 2;

/** Bytes of a box: x, y, width, height. */
const BOX = 16;

/**
 * Linear memory never shrinks, and noise needs 13 bytes of it per pixel; bitmaps of more pixels than this take the
 * TypeScript path, which gives its memory back.
 */
const MAX_BITMAP = 2 ** 24;

/** The WebAssembly path, or nothing where it cannot run. Data is copied in and out on every call. */
export function createWasmKernel(): Kernel | undefined {
  const wasm = instantiate();
  return wasm && new WasmKernel(wasm);
}

class WasmKernel implements Kernel {
  readonly name = 'wasm';
  readonly #wasm: WasmExports;
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  #words: Uint32Array<ArrayBuffer> = new Uint32Array(0);
  #doubles: Float64Array<ArrayBuffer> = new Float64Array(0);

  constructor(wasm: WasmExports) {
    this.#wasm = wasm;
  }

  rasterize(ring: Ring, height: number, width: number): Uint32Array {
    const free = BASE + 8 * ring.length;
    this.#reserve(free);
    const doubles = this.#doubles;
    for (let i = 0; i < ring.length; i++) doubles[BASE / 8 + i] = ring[i] as number;
    return this.#result(this.#wasm.polygon(BASE, ring.length / 2, height, width, free));
  }

  combine(a: Toggles, b: Toggles, table: number): Uint32Array {
    const operation = this.#operation(table);
    if (!operation) return plainKernel.combine(a, b, table);
    const second = this.#put(a, b);
    const count = operation(BASE, a.length, second, b.length, second + 4 * (b.length + BEHIND));
    const from = this.#wasm.combinedAt() / 4;
    return this.#words.slice(from, from + count);
  }

  overlap(a: Toggles, b: Toggles): number {
    return this.#wasm.overlap(BASE, a.length, this.#put(a, b), b.length);
  }

  overlapRatio(a: Toggles, b: Toggles, against: RatioBase): number {
    return this.#wasm.overlapRatio(BASE, a.length, this.#put(a, b), b.length, against);
  }

  iouMatrix(
    answers: readonly Toggles[],
    truths: readonly Toggles[],
    height: number,
    crowd: readonly boolean[],
  ): Float64Array {
    const batch = new BatchLayout(BASE, [...answers, ...truths]);
    const out = batch.end;
    const cells = answers.length * truths.length;
    const marks = out + 8 * cells;
    this.#reserve(marks + truths.length);
    batch.write(this.#words);
    for (let j = 0; j < truths.length; j++) this.#bytes[marks + j] = crowd[j] ? 1 : 0;
    this.#wasm.frameAll(batch.list, batch.count);
    this.#wasm.measureAreas(batch.list, batch.count, batch.areas);
    this.#wasm.measureBoxes(batch.list, batch.count, height, batch.boxes);
    this.#wasm.matrix(batch.list, answers.length, truths.length, batch.areas, batch.boxes, marks, out);
    return this.#doubles.slice(out / 8, out / 8 + cells);
  }

  encodeRows(bytes: Uint8Array, height: number, width: number): Uint32Array {
    if (bytes.length > MAX_BITMAP) return plainKernel.encodeRows(bytes, height, width);
    const free = BASE + bytes.length;
    this.#reserve(free);
    this.#bytes.set(bytes, BASE);
    return this.#result(this.#wasm.encodeRows(BASE, height, width, free));
  }

  encodeColumns(bytes: Uint8Array): Uint32Array {
    if (bytes.length > MAX_BITMAP) return plainKernel.encodeColumns(bytes);
    const free = BASE + bytes.length;
    this.#reserve(free);
    this.#bytes.set(bytes, BASE);
    return this.#result(this.#wasm.encodeColumns(BASE, bytes.length, free));
  }

  decodeRows(toggles: Toggles, height: number, width: number, target: Uint8Array): void {
    if (target.length > MAX_BITMAP) {
      plainKernel.decodeRows(toggles, height, width, target);
      return;
    }
    const at = this.#putForDecoding(toggles, target.length);
    const box = at - BOX;
    this.#wasm.decodeRows(BASE, toggles.length, height, width, at, box);
    // Copying only these rows leaves the memory of the others untouched: a new array has none until it is written.
    const from = width * (this.#words[box / 4 + 1] as number);
    const to = from + width * (this.#words[box / 4 + 3] as number);
    target.set(this.#bytes.subarray(at + from, at + to), from);
  }

  decodeColumns(toggles: Toggles, target: Uint8Array): void {
    if (target.length > MAX_BITMAP) {
      plainKernel.decodeColumns(toggles, target);
      return;
    }
    const at = this.#putForDecoding(toggles, target.length);
    this.#wasm.decodeColumns(BASE, toggles.length, target.length, at);
    target.set(this.#bytes.subarray(at, at + target.length));
  }

  writeCounts(toggles: Toggles): string {
    const out = BASE + 4 * toggles.length;
    this.#reserve(out + 7 * toggles.length);
    this.#words.set(toggles, BASE / 4);
    const length = this.#wasm.writeCounts(BASE, toggles.length, out);
    return latin1.decode(this.#bytes.subarray(out, out + length));
  }

  readCounts(text: string, end: number): Uint32Array | undefined {
    // A letter outside Latin takes up to three bytes; the module then refuses the string.
    const room = 3 * text.length;
    const out = (BASE + room + 16) & ~15;
    this.#reserve(out + 4 * text.length);
    const { written } = utf8.encodeInto(text, this.#bytes.subarray(BASE, BASE + room));
    const count = this.#wasm.readCounts(BASE, written, end, out);
    return count === 0 ? undefined : this.#words.slice(out / 4, out / 4 + count);
  }

  regions(mask: Mask): Region[] {
    const { toggles, height, width } = mask;
    if (toggles.length > MAX_TRACED) return plainKernel.regions(mask);
    const free = BASE + 4 * toggles.length;
    this.#reserve(free);
    this.#words.set(toggles, BASE / 4);
    const count = this.#wasm.traceRegions(BASE, toggles.length, height, width, free);
    return readRegions(this.#wasm, count);
  }

  #operation(table: number): WasmExports['unite'] | undefined {
    if (table === TABLES.union) return this.#wasm.unite;
    if (table === TABLES.intersection) return this.#wasm.intersect;
    return table === TABLES.difference ? this.#wasm.subtract : undefined;
  }

  /** Two masks as runs.as wants them, with room behind for what they combine to. Returns where the second lies. */
  #put(a: Toggles, b: Toggles): number {
    const second = BASE + 4 * (a.length + BEHIND + FRONT);
    this.#reserve(second + 4 * (b.length + BEHIND + 2 * (a.length + b.length) + 8));
    this.#words.set(a, BASE / 4);
    this.#words.set(b, second / 4);
    this.#wasm.frame(BASE, a.length);
    this.#wasm.frame(second, b.length);
    return second;
  }

  #putForDecoding(toggles: Toggles, length: number): number {
    const at = (BASE + 4 * toggles.length + BOX + 15) & ~15;
    this.#reserve(at + length);
    this.#words.set(toggles, BASE / 4);
    return at;
  }

  #reserve(end: number): void {
    if (end > this.#bytes.length - 64) this.#wasm.reserve(end);
    if (this.#bytes.buffer !== this.#wasm.memory.buffer) this.#look();
  }

  /** The module may have grown its memory, which detaches the views. */
  #result(count: number): Uint32Array {
    if (this.#bytes.buffer !== this.#wasm.memory.buffer) this.#look();
    const from = (this.#wasm.resultAt() >>> 0) / 4;
    return this.#words.slice(from, from + count);
  }

  #look(): void {
    const { buffer } = this.#wasm.memory;
    this.#bytes = new Uint8Array(buffer);
    this.#words = new Uint32Array(buffer);
    this.#doubles = new Float64Array(buffer);
  }
}

const latin1 = new TextDecoder('latin1');
const utf8 = new TextEncoder();
