import { limits } from '@/lib/core/image-limits';
import { intersectionArea, type Mask } from '@/lib/core/mask';
import { decodeMaskPng } from '../codecs/label-png';
import { decodePng } from '../codecs/png';
import type { SourceTree } from '../format';
import { splitLabelMap } from '../shared/part-layers';
import { folderOf } from '../shared/read-tree';
import { parsePolygons } from '../shared/segmentation';
import type { AdeEntry } from './read';

export interface MaskReader {
  size: { width: number; height: number };
  /** The entries with a parent for every part. */
  linked: AdeEntry[];
  maskOf(entry: AdeEntry): Promise<Mask | null>;
}

/**
 * Masks of the entries of one image: from the PNG of the instance, or else the polygon, or else the blue channel of the
 * map of its level. The release of 2016 has only the maps, and does not say to which object a part belongs: that on
 * which most of it lies.
 */
export async function maskReader(
  tree: SourceTree,
  paths: ReadonlySet<string>,
  picture: string,
  entries: readonly AdeEntry[],
  given: { width: number; height: number } | null,
): Promise<MaskReader> {
  const stem = picture.replace(/\.jpg$/i, '');
  const { width, height } = given ?? (await decodePng(await tree.bytes(`${stem}_seg.png`)));
  const size = { width, height };
  const maps = new Map<number, Promise<Map<number, Mask>>>();
  const mapOf = (level: number) => {
    const path = level === 0 ? `${stem}_seg.png` : `${stem}_parts_${level}.png`;
    const known =
      maps.get(level) ?? (paths.has(path) ? readInstances(tree, path) : Promise.resolve(new Map()));
    maps.set(level, known);
    return known;
  };
  const cache = new Map<string, Promise<Mask | null>>();
  const load = async (entry: AdeEntry): Promise<Mask | null> => {
    const file =
      entry.instanceMask === null ? '' : `${folderOf(picture)}/${entry.instanceMask}`.replace(/^\//, '');
    let mask: Mask | null = null;
    if (paths.has(file)) mask = await decodeMaskPng(await tree.bytes(file), limits.pixels);
    else if (entry.polygon) mask = parsePolygons([entry.polygon], size);
    else mask = (await mapOf(entry.level)).get(entry.rank) ?? null;
    if (mask && (mask.width !== width || mask.height !== height))
      throw new Error('a mask is not of the size of its image');
    return mask && mask.toggles.length > 0 ? mask : null;
  };
  const maskOf = (entry: AdeEntry) => {
    const key = `${entry.level} ${entry.rank}`;
    const known = cache.get(key) ?? load(entry);
    cache.set(key, known);
    return known;
  };
  return { size, maskOf, linked: await linkParts(entries, maskOf) };
}

/** By the place of the blue value among all of the map, from 0 for the background, as the loaders count. */
async function readInstances(tree: SourceTree, path: string): Promise<Map<number, Mask>> {
  const { width, height, channels, pixels } = await decodePng(await tree.bytes(path));
  if (channels < 3) throw new Error(`${path} has no colours`);
  const blue = Uint8Array.from({ length: width * height }, (_, i) => pixels[i * channels + 2] as number);
  const values = [...new Set(blue)].sort((a, b) => a - b);
  const places = new Map(values.map((value, place) => [value, values[0] === 0 ? place : place + 1]));
  const ranks = blue.map((value) => places.get(value) as number);
  return splitLabelMap(ranks, width, height);
}

/** Parts without a link belong to the entry of the level above on which most of them lies. */
async function linkParts(
  entries: readonly AdeEntry[],
  maskOf: (entry: AdeEntry) => Promise<Mask | null>,
): Promise<AdeEntry[]> {
  // Numbers of the 2016 release count within each level.
  const isUnlinked = entries.some(({ level, parent }) => level > 0 && parent === null);
  const ids = new Set(entries.map(({ id }) => id));
  if (!isUnlinked && ids.size === entries.length) return [...entries];
  const linked: AdeEntry[] = [];
  const numbers = new Map(
    entries.map((entry, index) => [entry, ids.size === entries.length ? entry.id : index]),
  );
  for (const entry of entries) {
    const mask = entry.level > 0 && entry.parent === null ? await maskOf(entry) : null;
    let parent: AdeEntry | undefined;
    let most = 0;
    for (const other of mask ? entries : []) {
      const whole = other.level === entry.level - 1 ? await maskOf(other) : null;
      const shared = mask && whole ? intersectionArea(mask, whole) : 0;
      if (shared > most) [parent, most] = [other, shared];
    }
    linked.push({
      ...entry,
      id: numbers.get(entry) as number,
      parent: parent ? (numbers.get(parent) as number) : entry.parent,
    });
  }
  return linked;
}
