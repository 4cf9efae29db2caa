import type { Ring } from '@/lib/core/geometry';
import { settle } from '.';

/**
 * COCO's rule walks the outline on a grid five times finer than the pixels and keeps only the steps from fine column
 * 5X + 2 to 5X + 3. Only those are computed here, with the rule's own floating-point expressions.
 */
const SCALE = 5;

let columns = new Uint32Array(1 << 10);
let rows = new Uint32Array(1 << 10);
let flips = new Uint32Array(1 << 10);
let starts = new Uint32Array(1 << 11);
let found = 0;

export function rasterize(ring: Ring, height: number, width: number): Uint32Array {
  found = 0;
  let fromX = fine(ring[ring.length - 2] as number);
  let fromY = fine(ring[ring.length - 1] as number);
  for (let i = 0; i < ring.length; i += 2) {
    const toX = fine(ring[i] as number);
    const toY = fine(ring[i + 1] as number);
    const dx = Math.abs(toX - fromX);
    const dy = Math.abs(toY - fromY);
    if (dx >= dy) {
      if (fromX < toX) crossFlatEdge(fromX, fromY, toX, toY, height, width);
      else if (toX < fromX) crossFlatEdge(toX, toY, fromX, fromY, height, width);
    } else if (dx > 0) {
      if (fromY < toY) crossSteepEdge(fromX, fromY, toX, toY, height, width);
      else crossSteepEdge(toX, toY, fromX, fromY, height, width);
    }
    fromX = toX;
    fromY = toY;
  }
  sortByColumn(height, width);
  return settle(flips, found, height * width);
}

/** Truncation towards zero, also for negatives, is part of the rule. */
function fine(coordinate: number): number {
  return Math.trunc(SCALE * coordinate + 0.5);
}

/** An edge that runs along x, left to right: one row per kept step. */
function crossFlatEdge(
  fromX: number,
  fromY: number,
  toX: number,
  toY: number,
  height: number,
  width: number,
): void {
  const first = Math.max(0, Math.ceil((fromX - 2) / SCALE));
  const last = Math.min(width - 1, Math.floor((toX - 3) / SCALE));
  if (last < first) return;
  reserve(last - first + 1);
  const slope = (toY - fromY) / (toX - fromX);
  // Of the two points of the step the rule takes the upper one: the left one when the edge falls.
  const upper = slope >= 0 ? 2 : 3;
  for (let x = first; x <= last; x++) {
    const t = SCALE * x + upper - fromX;
    keep(x, fromY + slope * t + 0.5, height);
  }
}

/** An edge that runs along y, top to bottom: find the fine row at which x makes the step. */
function crossSteepEdge(
  fromX: number,
  fromY: number,
  toX: number,
  toY: number,
  height: number,
  width: number,
): void {
  const first = Math.max(0, Math.ceil((Math.min(fromX, toX) - 2) / SCALE));
  const last = Math.min(width - 1, Math.floor((Math.max(fromX, toX) - 3) / SCALE));
  if (last < first) return;
  reserve(last - first + 1);
  const slope = (toX - fromX) / (toY - fromY);
  const rising = slope > 0;
  for (let x = first; x <= last; x++) {
    const right = SCALE * x + 3;
    // The estimate is off by at most a rounding error; the loops settle it with the rule's own expression.
    let t = Math.ceil((right - 0.5 - fromX) / slope);
    while (fromX + slope * (t - 1) + 0.5 >= right === rising) t--;
    while (fromX + slope * t + 0.5 >= right !== rising) t++;
    keep(x, fromY + t - 1, height);
  }
}

function keep(x: number, fineY: number, height: number): void {
  const y = fineY < 3 ? 0 : Math.floor((Math.trunc(fineY) + 2) / SCALE);
  columns[found] = x;
  rows[found++] = Math.min(y, height);
}

function reserve(more: number): void {
  if (found + more <= columns.length) return;
  const size = 2 * (found + more);
  const biggerColumns = new Uint32Array(size);
  const biggerRows = new Uint32Array(size);
  biggerColumns.set(columns.subarray(0, found));
  biggerRows.set(rows.subarray(0, found));
  columns = biggerColumns;
  rows = biggerRows;
}

/** Beyond this many crossings in one column the engine's sort beats insertion. */
const INSERTION_LIMIT = 24;

function sortByColumn(height: number, width: number): void {
  if (flips.length < found) flips = new Uint32Array(columns.length);
  if (starts.length < width + 1) starts = new Uint32Array(width + 1);
  starts.fill(0, 0, width + 1);
  for (let i = 0; i < found; i++) {
    const next = (columns[i] as number) + 1;
    starts[next] = (starts[next] as number) + 1;
  }
  for (let x = 1; x <= width; x++) starts[x] = (starts[x] as number) + (starts[x - 1] as number);
  for (let i = 0; i < found; i++) {
    const x = columns[i] as number;
    const at = starts[x] as number;
    flips[at] = x * height + (rows[i] as number);
    starts[x] = at + 1;
  }
  for (let x = 0, from = 0; x < width; x++) {
    const to = starts[x] as number;
    if (to - from > INSERTION_LIMIT) flips.subarray(from, to).sort();
    else insertionSort(from, to);
    from = to;
  }
}

function insertionSort(from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const value = flips[i] as number;
    let j = i;
    while (j > from && (flips[j - 1] as number) > value) {
      flips[j] = flips[j - 1] as number;
      j--;
    }
    flips[j] = value;
  }
}
