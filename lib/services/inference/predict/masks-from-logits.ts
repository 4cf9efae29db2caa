import { area, encodeCounts, fromBitmap, type Mask, pad, removeSpecks } from '@/lib/core/mask';
import { OBJECT_MASK } from '../serving-contract';
import type { Window } from './view-window';

/** Mask logits of one picture: channel, row, column; the first channel is the background. */
export interface MaskLogits {
  data: Float32Array;
  height: number;
  width: number;
}

interface Size {
  width: number;
  height: number;
}

/** Share of a mask below which a separate piece of it is a speck of the network. */
const SPECK = 0.01;

/**
 * The mask of each part and of the object as a whole in pixels of the picture, as compressed counts; parts without a
 * pixel are left out. A pixel is a part's where the part's channel is the highest. A part that several classes have is
 * one part: which class the object is of is another question.
 */
export function masksFromLogits(
  logits: MaskLogits,
  channels: readonly (string | null)[],
  window: Window,
  image: Size,
): Record<string, string> {
  const masks: Record<string, string> = {};
  const add = (name: string, score: Float32Array) => {
    const mask = maskOf(score, logits, window, image);
    if (mask) masks[name] = encodeCounts(mask);
  };
  const plane = logits.height * logits.width;
  const ids = [...new Set(channels)];
  const highest = [undefined, ...ids].map((id) => highestOf(logits.data, plane, channels, id));
  const [behind, ...parts] = highest as [Float32Array, ...Float32Array[]];
  const front = parts.reduce((all, part) => all.map((value, at) => Math.max(value, part[at] as number)));
  add(
    OBJECT_MASK,
    front.map((value, at) => value - (behind[at] as number)),
  );
  for (const [n, id] of ids.entries())
    if (id !== null) add(id, overOthers(parts[n] as Float32Array, highest));
  return masks;
}

/** Of the channels of one part, the highest at each place; of the background where no part is named. */
function highestOf(
  data: Float32Array,
  plane: number,
  channels: readonly (string | null)[],
  id: string | null | undefined,
): Float32Array {
  if (id === undefined) return data.slice(0, plane);
  const highest = new Float32Array(plane).fill(Number.NEGATIVE_INFINITY);
  for (const [n, name] of channels.entries()) {
    if (name !== id) continue;
    const start = (n + 1) * plane;
    for (let at = 0; at < plane; at++)
      highest[at] = Math.max(highest[at] as number, data[start + at] as number);
  }
  return highest;
}

/** By how much a part lies over the highest of all others. */
function overOthers(own: Float32Array, all: readonly Float32Array[]): Float32Array {
  const others = all.filter((each) => each !== own);
  return own.map((value, at) => {
    let most = Number.NEGATIVE_INFINITY;
    for (const other of others) most = Math.max(most, other[at] as number);
    return value - most;
  });
}

/** Looks only at the box of what is positive: most parts are small, and pictures are large. */
function maskOf(score: Float32Array, from: Size, window: Window, image: Size): Mask | null {
  const box = positiveBox(score, from);
  if (!box) return null;
  const columns = placesOf(
    box.left,
    box.right,
    window.left,
    window.width / from.width,
    from.width,
    image.width,
  );
  const rows = placesOf(
    box.top,
    box.bottom,
    window.top,
    window.height / from.height,
    from.height,
    image.height,
  );
  const [width, height] = [columns.first.length, rows.first.length];
  if (width === 0 || height === 0) return null;
  const bytes = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const upper = (rows.first[y] as number) * from.width;
    const lower = (rows.second[y] as number) * from.width;
    const down = rows.share[y] as number;
    for (let x = 0; x < width; x++) {
      const [left, right] = [columns.first[x] as number, columns.second[x] as number];
      const across = columns.share[x] as number;
      const above =
        (score[upper + left] as number) * (1 - across) + (score[upper + right] as number) * across;
      const below =
        (score[lower + left] as number) * (1 - across) + (score[lower + right] as number) * across;
      if (above * (1 - down) + below * down > 0) bytes[y * width + x] = 1;
    }
  }
  const found = fromBitmap(bytes, height, width);
  const clean = removeSpecks(found, SPECK * area(found), 8);
  if (area(clean) === 0) return null;
  const [left, top] = [columns.start, rows.start];
  return pad(clean, { left, top, right: image.width - left - width, bottom: image.height - top - height });
}

function positiveBox(score: Float32Array, { width, height }: Size) {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (!((score[y * width + x] as number) > 0)) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  return right < 0 ? null : { left, top, right, bottom };
}

/**
 * For each pixel of the picture that may lie between the places `low` and `high` of the network, along one axis: the two
 * places between whose centres it is, and how near it is to the second. `scale`: pixels of the picture for one place.
 */
function placesOf(low: number, high: number, offset: number, scale: number, size: number, most: number) {
  const clamp = (value: number) => Math.min(most, Math.max(0, value));
  // Nothing is said about what lies outside of what the network saw.
  const start = clamp(Math.max(Math.floor(offset + (low - 0.5) * scale), Math.ceil(offset - 0.5)));
  const end = clamp(
    Math.min(Math.ceil(offset + (high + 1.5) * scale), Math.floor(offset + size * scale + 0.5)),
  );
  const length = Math.max(0, end - start);
  const places = {
    start,
    first: new Int32Array(length),
    second: new Int32Array(length),
    share: new Float32Array(length),
  };
  for (let at = 0; at < length; at++) {
    const centre = (start + at + 0.5 - offset) / scale - 0.5;
    const floor = Math.floor(centre);
    places.first[at] = Math.min(size - 1, Math.max(0, floor));
    places.second[at] = Math.min(size - 1, Math.max(0, floor + 1));
    places.share[at] = centre - floor;
  }
  return places;
}
