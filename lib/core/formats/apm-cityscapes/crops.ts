import { area, components, fromBitmap } from '@/lib/core/mask';
import { hashToUnit } from '@/lib/core/splits/member';
import type { DatasetImage } from '../dataset';
import type { Options } from '../format';
import { decodeUid, sidOf, uidLayers, uidMap } from '../shared/panoptic-parts';
import { stemOf } from '../shared/write-files';
import { originalLayout, type StreetLayout } from './layout';

export const streetCropsRule =
  'Every person, rider, car, truck and bus of at least the least area is cut out of its picture, which is first extended by black on all sides by a tenth of its longer side. The cut is a square as large as the longer side of the object and padded; where the padding is random, the object lies anywhere within it and may be cut off. Objects are left out where one class of the other kind covers more than half as many pixels of their box as their own class, and, unless parts may be missing, where a part is missing or its largest piece is a tenth of the least area or less. Objects are chosen and cut by their masks as drawn, also where boxes are written. Everything visible in the cut is labelled.';

interface CropSettings {
  /** Share of the longer side that is added on every side. */
  pad: number;
  square: boolean;
  /** The padding is divided between the sides by chance. */
  randomPad: boolean;
  /** In pixels. */
  minArea: number;
  allowMissingParts: boolean;
}

/** The set of the part-model paper, square_rand_pad0.2. */
export const paperCrops: CropSettings = {
  pad: 0.2,
  square: true,
  randomPad: true,
  minArea: 1000,
  allowMissingParts: true,
};

/** In pixels of the picture; it may reach beyond it. */
interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Crop {
  sid: number;
  iid: number;
  frame: Frame;
}

interface Extent {
  sid: number;
  iid: number;
  area: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Which objects of a picture are cut out, and where. `key` names the picture: the same one is cut the same way. */
export function streetCrops(
  uids: Int32Array,
  width: number,
  height: number,
  settings: CropSettings,
  key: string,
  { objects }: Pick<StreetLayout, 'objects'> = originalLayout,
): Crop[] {
  const margin = Math.floor(Math.max(width, height) * 0.1);
  return extentsOf(uids, width, objects)
    .filter((extent) => extent.area >= settings.minArea && !isOccluded(uids, width, extent, objects))
    .flatMap((extent) => {
      const name = `${key} ${extent.sid} ${extent.iid}`;
      const frame = settings.square
        ? squareFrame(extent, width, height, margin, settings, name)
        : tightFrame(extent, width, height, margin, settings.pad);
      if (frame.width < 1 || frame.height < 1) return [];
      const crop = { sid: extent.sid, iid: extent.iid, frame };
      return settings.allowMissingParts || hasAllParts(uids, width, height, crop, settings.minArea, objects)
        ? [crop]
        : [];
    });
}

/** Per class, then per instance, as the numbers ascend. */
function extentsOf(uids: Int32Array, width: number, objects: StreetLayout['objects']): Extent[] {
  const extents = new Map<number, Extent>();
  let last: Extent | undefined;
  let lastUid = 0;
  for (let i = 0; i < uids.length; i++) {
    const uid = uids[i] as number;
    if (uid === 0) continue;
    if (uid !== lastUid || !last) {
      const { sid, iid } = decodeUid(uid);
      const key = sid * 1000 + iid;
      last = extents.get(key) ?? { sid, iid, area: 0, left: width, right: -1, top: uids.length, bottom: -1 };
      extents.set(key, last);
      lastUid = uid;
    }
    const x = i % width;
    const y = (i - x) / width;
    last.area += 1;
    if (x < last.left) last.left = x;
    if (x > last.right) last.right = x;
    if (y < last.top) last.top = y;
    last.bottom = y;
  }
  return [...extents.values()]
    .filter(({ sid, iid }) => iid > 0 && objects.has(sid))
    .sort((a, b) => a.sid - b.sid || a.iid - b.iid);
}

function isOccluded(
  uids: Int32Array,
  width: number,
  { sid, left, right, top, bottom }: Extent,
  objects: StreetLayout['objects'],
): boolean {
  const counts = new Map<number, number>();
  // The paper's boxes leave out the last row and column.
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const uid = uids[y * width + x] as number;
      if (uid === 0) continue;
      const other = sidOf(uid);
      counts.set(other, (counts.get(other) ?? 0) + 1);
    }
  const others = [...objects].filter(([, { group }]) => group !== objects.get(sid)?.group);
  return others.some(([other]) => (counts.get(other) ?? 0) > (counts.get(sid) ?? 0) / 2);
}

function squareFrame(
  { left, right, top, bottom }: Extent,
  width: number,
  height: number,
  margin: number,
  { pad, randomPad }: CropSettings,
  name: string,
): Frame {
  const size = Math.max(right - left, bottom - top);
  const extra = Math.floor(pad * size);
  const side = size + 2 * extra;
  const before = (axis: string) =>
    randomPad ? Math.floor(hashToUnit('crop', `${name} ${axis}`) * 2 * pad * side) : extra;
  const x = Math.max(0, left + margin - Math.floor((size - (right - left)) / 2) - before('x'));
  const y = Math.max(0, top + margin - Math.floor((size - (bottom - top)) / 2) - before('y'));
  return {
    x: x - margin,
    y: y - margin,
    width: Math.min(width + 2 * margin, x + side) - x,
    height: Math.min(height + 2 * margin, y + side) - y,
  };
}

/** Padded to the left and above only, as in the paper's code. */
function tightFrame(
  { left, right, top, bottom }: Extent,
  width: number,
  height: number,
  margin: number,
  pad: number,
): Frame {
  const extra = Math.floor(pad * Math.max(right - left, bottom - top));
  const x = Math.max(0, left + margin - extra);
  const y = Math.max(0, top + margin - extra);
  return {
    x: x - margin,
    y: y - margin,
    width: Math.min(right + margin, width + 2 * margin - 1) - x,
    height: Math.min(bottom + margin, height + 2 * margin - 1) - y,
  };
}

function hasAllParts(
  uids: Int32Array,
  width: number,
  height: number,
  { sid, iid, frame }: Crop,
  minArea: number,
  objects: StreetLayout['objects'],
): boolean {
  const cut = cutMap(uids, width, height, frame);
  return (objects.get(sid)?.pids ?? [])
    .map((pid) => (sid * 1000 + iid) * 100 + pid)
    .every((uid) => {
      const part = fromBitmap(
        Uint8Array.from(cut, (value) => (value === uid ? 1 : 0)),
        frame.height,
        frame.width,
      );
      return components(part, 8).some((piece) => area(piece) > 0.1 * minArea);
    });
}

/** The values in a frame; 0 outside of the map. */
export function cutMap(values: Int32Array, width: number, height: number, frame: Frame): Int32Array {
  const cut = new Int32Array(frame.width * frame.height);
  const from = Math.max(0, frame.x);
  const to = Math.min(width, frame.x + frame.width);
  for (let y = Math.max(0, frame.y); from < to && y < Math.min(height, frame.y + frame.height); y++)
    cut.set(values.subarray(y * width + from, y * width + to), (y - frame.y) * frame.width + from - frame.x);
  return cut;
}

const settingsOf = (options: Options): CropSettings => ({
  pad: Number(options.pad),
  square: options.square === true,
  randomPad: options['random-pad'] === true,
  minArea: Number(options['min-area']),
  allowMissingParts: options['allow-missing-parts'] === true,
});

/** What is cut out of a picture. Boxes are larger than objects and hide each other: the masks as drawn decide. */
export function cropsOf(
  image: DatasetImage,
  options: Options,
  zOrders: ReadonlyMap<string, number>,
  layout: StreetLayout,
): Crop[] {
  const drawn = { ...image, objects: image.original?.objects ?? image.objects };
  const map = uidMap(drawn, uidLayers(drawn, layout.codes, zOrders));
  return streetCrops(map, image.width, image.height, settingsOf(options), stemOf(image.name), layout);
}
