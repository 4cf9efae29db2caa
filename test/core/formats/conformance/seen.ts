import type { Dataset, DatasetImage, MaskLabel, ObjectLabel } from '@/lib/core/formats/dataset';
import { encodeCounts, fromBitmap, isEmpty, type Mask, merge, toBitmap } from '@/lib/core/mask';
import type { DatasetSchema } from '@/lib/core/schema/types';

/** A mask as a loader returns it. */
export interface Seen {
  /** Stem of the file name, as far as it tells images apart: the digits. */
  image: string;
  label: string;
  mask: Mask;
  /** "crowd", "occluded" and "truncated", sorted. */
  flags?: readonly string[];
}

/** A seen mask as text, to compare sets of them. */
export const textOf = ({ image, label, mask, flags }: Seen): string =>
  `${image} ${label} ${encodeCounts(mask)}${flags && flags.length > 0 ? ` ${[...flags].sort().join('+')}` : ''}`;

export const fromRows = (values: ArrayLike<number>, width: number, height: number, value: number): Mask =>
  fromBitmap(
    Uint8Array.from(values, (each) => (each === value ? 1 : 0)),
    height,
    width,
  );

/** Each value of a row-major map with its pixels. */
export function regionsOf(
  values: ArrayLike<number>,
  width: number,
  height: number,
  background: number,
): { value: number; mask: Mask }[] {
  const found = [...new Set(Array.from(values))].filter((value) => value !== background);
  return found
    .sort((a, b) => a - b)
    .map((value) => ({ value, mask: fromRows(values, width, height, value) }));
}

export interface Layer {
  label: string;
  mask: Mask;
  flags?: readonly string[];
}

/** What is visible of layers that are painted in order. Layers with the same label are told apart. */
export function visible(layers: readonly Layer[]): Layer[] {
  const [first] = layers;
  if (!first) return [];
  const { width, height } = first.mask;
  const top = new Int32Array(width * height).fill(-1);
  layers.forEach(({ mask }, index) => {
    toBitmap(mask).forEach((bit, pixel) => {
      if (bit) top[pixel] = index;
    });
  });
  return layers
    .map((layer, index) => ({ ...layer, mask: fromRows(top, width, height, index) }))
    .filter(({ mask }) => !isEmpty(mask));
}

/** Joins layers with the same label, for maps that do not tell them apart. */
export function joined(layers: readonly Layer[]): Layer[] {
  const byLabel = new Map<string, Mask[]>();
  for (const { label, mask } of layers) byLabel.set(label, [...(byLabel.get(label) ?? []), mask]);
  return [...byLabel].map(([label, masks]) => ({ label, mask: merge(masks) }));
}

export const instancesOf = (label: MaskLabel): readonly Mask[] => label.instances ?? [label.mask];

export const unionOf = (parts: readonly MaskLabel[]): Mask | null =>
  parts.length > 0 ? merge(parts.map(({ mask }) => mask)) : null;

/** Outline and parts together, as layouts of whole objects define an object. */
export const wholeOf = ({ outline, parts }: ObjectLabel): Mask | null => {
  const masks = [...(outline ? [outline.mask] : []), ...parts.map(({ mask }) => mask)];
  return masks.length > 0 ? merge(masks) : null;
};

export const isCrowd = ({ outline }: ObjectLabel): boolean => outline?.flags?.includes('crowd') ?? false;

export const isStuff = ({ classes }: DatasetSchema, { className }: ObjectLabel): boolean =>
  classes.some(({ id, kind }) => id === className && kind === 'stuff');

export const byHeight = ({ parts }: DatasetSchema, labels: readonly MaskLabel[]): MaskLabel[] => {
  const z = (id: string) => parts.find((part) => part.id === id)?.zOrder ?? 0;
  return [...labels].sort((a, b) => z(a.id) - z(b.id));
};

/** The number in a file name, by which images of a case differ. */
export const numberOf = (name: string): string => {
  const stem = name.split('/').at(-1) ?? '';
  const [, street] = /_(\d{6})_0000\d\d/.exec(stem) ?? [];
  const digits = street ?? /(\d+)(?=\D*$)/.exec(stem.replace(/_(000000|000019)/, ''))?.[1] ?? '';
  return String(Number(digits));
};

export async function expectedOf(
  dataset: Dataset,
  layersOf: (image: DatasetImage, schema: DatasetSchema) => readonly Layer[],
): Promise<Seen[]> {
  const seen: Seen[] = [];
  let index = 0;
  for await (const image of dataset.images()) {
    index += 1;
    for (const layer of layersOf(image, dataset.schema)) seen.push({ image: String(index), ...layer });
  }
  return seen;
}
