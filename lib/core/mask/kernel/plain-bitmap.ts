import { settle, type Toggles } from './kernel';

let list = new Uint32Array(1 << 12);

/** Compares each row with the one above, four pixels at a time, and sorts the differences by column. */
export function encodeRows(bytes: Uint8Array, height: number, width: number): Uint32Array {
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

export function encodeColumns(bytes: Uint8Array): Uint32Array {
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
export function decodeRows(toggles: Toggles, height: number, width: number, target: Uint8Array): void {
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

export function decodeColumns(toggles: Toggles, target: Uint8Array): void {
  target.fill(0);
  for (let i = 1; i < toggles.length; i += 2) target.fill(1, toggles[i - 1], toggles[i]);
}

function enlarged(array: Uint32Array<ArrayBuffer>, needed: number): Uint32Array<ArrayBuffer> {
  const bigger = new Uint32Array(2 * needed);
  bigger.set(array);
  return bigger;
}
