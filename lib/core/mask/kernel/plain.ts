import { togglesArea, togglesBox } from '../algebra';
import { FIRST, type Kernel, type RatioBase, settle, type Toggles, UNION } from '.';
import { rasterize } from './plain-polygon';
import { regions } from './plain-regions';

export const plainKernel: Kernel = {
  name: 'plain',
  rasterize,
  combine,
  overlap,
  overlapRatio,
  iouMatrix,
  encodeRows,
  encodeColumns,
  decodeRows,
  decodeColumns,
  writeCounts,
  readCounts,
  regions,
};

let letters = new Uint8Array(1 << 12);
const latin1 = new TextDecoder('latin1');

/** Runs, from the fourth on as differences to the run two before, in groups of 5 bits, low first. */
function writeCounts(toggles: Toggles): string {
  // A difference of two runs is under 2^30: seven groups hold it with its sign.
  if (letters.length < toggles.length * 7) letters = new Uint8Array(toggles.length * 14);
  const out = letters;
  let length = 0;
  let before = 0;
  let previous = 0;
  let beforePrevious = 0;
  for (let i = 0; i < toggles.length; i++) {
    const end = toggles[i] as number;
    const run = end - before;
    before = end;
    let value = i > 2 ? run - beforePrevious : run;
    beforePrevious = previous;
    previous = run;
    while (value > 15 || value < -16) {
      out[length++] = (value & 31) + 80;
      value >>= 5;
    }
    out[length++] = (value & 31) + 48;
  }
  return latin1.decode(out.subarray(0, length));
}

/** Six groups hold every run of a legal mask; a longer number is left to the reader that names faults. */
const MAX_SHIFT = 25;

function readCounts(text: string, end: number): Uint32Array | undefined {
  const toggles = new Uint32Array(text.length);
  let runs = 0;
  let position = 0;
  let previous = 0;
  let beforePrevious = 0;
  for (let at = 0; at < text.length; ) {
    let value = 0;
    let shift = 0;
    let group = 32;
    while (group & 32) {
      group = at < text.length ? text.charCodeAt(at++) - 48 : -1;
      if (group < 0 || group > 63 || shift > MAX_SHIFT) return undefined;
      value |= (group & 31) << shift;
      shift += 5;
    }
    if (group & 16) value |= -1 << shift;
    if (runs > 2) value += beforePrevious;
    if (value < 0 || (value === 0 && runs > 0)) return undefined;
    position += value;
    if (position > end) return undefined;
    beforePrevious = previous;
    previous = value;
    toggles[runs++] = position;
  }
  return position === end ? toggles.slice(0, runs) : undefined;
}

let scratch = new Uint32Array(1 << 10);

function combine(a: Toggles, b: Toggles, table: number): Uint32Array {
  if (scratch.length < a.length + b.length) scratch = new Uint32Array(2 * (a.length + b.length));
  const out = scratch;
  const end = a[a.length - 1] as number;
  let i = 0;
  let j = 0;
  let count = 0;
  let before = 0;
  for (;;) {
    const pa = a[i] as number;
    const pb = b[j] as number;
    const position = Math.min(pa, pb);
    if (position === end) break;
    if (pa === position) i++;
    if (pb === position) j++;
    const now = (table >> ((i & 1) | ((j & 1) << 1))) & 1;
    if (now !== before) {
      out[count++] = position;
      before = now;
    }
  }
  out[count++] = end;
  return out.slice(0, count);
}

function overlap(a: Toggles, b: Toggles): number {
  let i = 1;
  let j = 1;
  let sum = 0;
  while (i < a.length && j < b.length) {
    const endA = a[i] as number;
    const endB = b[j] as number;
    const from = Math.max(a[i - 1] as number, b[j - 1] as number);
    const to = Math.min(endA, endB);
    if (to > from) sum += to - from;
    if (endA <= endB) i += 2;
    if (endB <= endA) j += 2;
  }
  return sum;
}

function overlapRatio(a: Toggles, b: Toggles, against: RatioBase): number {
  const both = overlap(a, b);
  const first = togglesArea(a);
  if (against === FIRST) return both / first;
  const sum = first + togglesArea(b);
  return against === UNION ? both / (sum - both) : (2 * both) / sum;
}

let list = new Uint32Array(1 << 12);

/** Compares each row with the one above, four pixels at a time, and sorts the differences by column. */
function encodeRows(bytes: Uint8Array, height: number, width: number): Uint32Array {
  const starts = new Uint32Array(width + 1);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  for (let y = 0; y <= height; y++) {
    if (list.length < count + width) list = enlarged(list, count + width);
    const row = y * width;
    let x = 0;
    while (x < width) {
      // The rows above the first and below the last are background.
      if (x + 4 <= width && y > 0 && y < height && sameWord(view, row + x, width)) {
        x += 4;
        continue;
      }
      for (const stop = Math.min(width, x + 4); x < stop; x++) {
        const above = y > 0 && bytes[row - width + x] !== 0;
        const here = y < height && bytes[row + x] !== 0;
        if (above === here) continue;
        // Sides are at most 65,535, so x and y fit one word.
        list[count++] = x * 65_536 + y;
        starts[x + 1] = (starts[x + 1] as number) + 1;
      }
    }
  }
  return sortedByColumn(count, starts, height, width);
}

function sameWord(view: DataView, at: number, width: number): boolean {
  return view.getUint32(at, true) === view.getUint32(at - width, true);
}

function sortedByColumn(count: number, starts: Uint32Array, height: number, width: number): Uint32Array {
  for (let x = 0; x < width; x++) starts[x + 1] = (starts[x + 1] as number) + (starts[x] as number);
  const flips = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const packed = list[i] as number;
    const x = packed >>> 16;
    const at = starts[x] as number;
    flips[at] = x * height + (packed & 65_535);
    starts[x] = at + 1;
  }
  return settle(flips, count, height * width);
}

function encodeColumns(bytes: Uint8Array): Uint32Array {
  let count = 0;
  let before = false;
  for (let i = 0; i < bytes.length; i++) {
    const now = bytes[i] !== 0;
    if (now === before) continue;
    if (count + 1 >= list.length) list = enlarged(list, count + 2);
    list[count++] = i;
    before = now;
  }
  list[count++] = bytes.length;
  return list.slice(0, count);
}

/** Marks where columns flip, then carries each row into the next, within the rows and columns that have any. */
function decodeRows(toggles: Toggles, height: number, width: number, target: Uint8Array): void {
  let top = height;
  let bottom = 0;
  let right = 0;
  for (let i = 1; i < toggles.length; i += 2) {
    let from = toggles[i - 1] as number;
    const to = toggles[i] as number;
    while (from < to) {
      const x = Math.floor(from / height);
      const base = x * height;
      const stop = Math.min(to, base + height);
      target[(from - base) * width + x] = 1;
      if (stop - base < height) flip(target, (stop - base) * width + x);
      top = Math.min(top, from - base);
      bottom = Math.max(bottom, stop - base);
      right = x + 1;
      from = stop;
    }
  }
  const left = Math.floor((toggles[0] as number) / height);
  for (let y = top + 1; y <= Math.min(bottom, height - 1); y++)
    for (let at = y * width + left; at < y * width + right; at++)
      target[at] = (target[at] as number) ^ (target[at - width] as number);
}

function flip(target: Uint8Array, at: number): void {
  target[at] = (target[at] as number) ^ 1;
}

function decodeColumns(toggles: Toggles, target: Uint8Array): void {
  target.fill(0);
  for (let i = 1; i < toggles.length; i += 2) target.fill(1, toggles[i - 1], toggles[i]);
}

function enlarged(array: Uint32Array<ArrayBuffer>, needed: number): Uint32Array<ArrayBuffer> {
  const bigger = new Uint32Array(2 * needed);
  bigger.set(array);
  return bigger;
}

function iouMatrix(
  answers: readonly Toggles[],
  truths: readonly Toggles[],
  height: number,
  crowd: readonly boolean[],
): Float64Array {
  const matrix = new Float64Array(answers.length * truths.length);
  const measured = (toggles: Toggles) => ({
    toggles,
    area: togglesArea(toggles),
    box: togglesBox(toggles, height),
  });
  const right = truths.map(measured);
  answers.map(measured).forEach((a, i) => {
    right.forEach((b, j) => {
      if (apart(a.box, b.box)) return;
      const both = overlap(a.toggles, b.toggles);
      if (both > 0) matrix[i * right.length + j] = both / (crowd[j] ? a.area : a.area + b.area - both);
    });
  });
  return matrix;
}

type FourNumbers = readonly [number, number, number, number];

function apart([ax, ay, aw, ah]: FourNumbers, [bx, by, bw, bh]: FourNumbers): boolean {
  return bx >= ax + aw || ax >= bx + bw || by >= ay + ah || ay >= by + bh;
}
