import { fromLabelMap, MAX_LABEL, type Mask } from '@/lib/mask';
import type { DatasetSchema } from '@/lib/schema/types';
import type { DatasetImage } from '../dataset';
import { type Thing, thingsOf } from '../general/things';
import { paintMap } from '../paint';

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

export function paint(
  image: DatasetImage,
  schema: DatasetSchema,
): { labels: Uint16Array; segments: Segment[] } {
  const { width, height } = image;
  const layers = layersOf(image, schema);
  const labels = paintMap(
    layers.map(({ mask }, index) => ({ mask, value: index + 1 })),
    width,
    height,
    16,
  );
  const segments = fromLabelMap(labels, height, width).map(({ label, mask }) => ({
    id: label,
    thing: layers[label - 1] as Thing,
    mask,
  }));
  return { labels, segments };
}
