import { difference, isEmpty, MAX_LABEL, type Mask, union } from '@/lib/core/mask';
import type { DatasetSchema } from '@/lib/core/schema/types';
import type { DatasetImage } from '../dataset';
import { type Thing, thingsOf } from '../general/things';

export interface Segment {
  /** From 1, within the image; the colour of its pixels. */
  id: number;
  thing: Thing;
  /** What is left of its mask where others lie on top. */
  mask: Mask;
}

/** Objects below, the first of them topmost; parts above them by their z-order. Attributes have no place. */
export function layersOf(image: DatasetImage, schema: DatasetSchema): Thing[] {
  const zOrders = new Map(schema.parts.map(({ id, zOrder }) => [id, zOrder]));
  const height = ({ kind, id }: Thing) =>
    kind === 'object' ? Number.NEGATIVE_INFINITY : (zOrders.get(id) ?? 0);
  return thingsOf(image)
    .filter(({ kind }) => kind !== 'attribute')
    .slice(0, MAX_LABEL)
    .map((thing, index) => ({ thing, index }))
    .sort((a, b) => {
      const [low, high] = [height(a.thing), height(b.thing)];
      return low === high ? b.thing.instance - a.thing.instance || a.index - b.index : low - high;
    })
    .map(({ thing }) => thing);
}

/** What is left of each mask where others lie on top; what is covered wholly is no segment. */
export function segmentsOf(image: DatasetImage, schema: DatasetSchema): Segment[] {
  let covered: Mask | null = null;
  const segments: Segment[] = [];
  const layers = layersOf(image, schema);
  for (let index = layers.length - 1; index >= 0; index--) {
    const thing = layers[index] as Thing;
    const mask: Mask = covered ? difference(thing.mask, covered) : thing.mask;
    if (!isEmpty(mask)) segments.push({ id: index + 1, thing, mask });
    covered = covered ? union(covered, thing.mask) : thing.mask;
  }
  return segments.reverse();
}
