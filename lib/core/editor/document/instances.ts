import type { Shape } from '@/lib/core/mask';
import { MAX_INSTANCES } from '@/lib/core/schema';
import type { DrawnShape, LabelLayer } from './document';

/** The instance of a part that a shape belongs to, from 1. */
export const instanceOf = ({ instance = 1 }: Shape): number => instance;

/** The numbers of the instances of a label, ascending. An instance without an added shape covers nothing. */
export function instancesOf({ shapes }: Pick<LabelLayer, 'shapes'>): number[] {
  const added = shapes.flatMap(({ shape }) => (shape.op === 'add' ? [instanceOf(shape)] : []));
  return [...new Set(added)].sort((a, b) => a - b);
}

export const firstInstance = (layer: LabelLayer | undefined): number => (layer && instancesOf(layer)[0]) ?? 1;

/** A number for a new instance: the next one, so that the others keep their shades. Undefined if there are too many. */
export function freeInstance(layer: LabelLayer | undefined): number | undefined {
  const taken = new Set(layer?.shapes.map(({ shape }) => instanceOf(shape)));
  const next = Math.max(0, ...taken) + 1;
  if (next <= MAX_INSTANCES) return next;
  return Array.from({ length: MAX_INSTANCES }, (_, i) => i + 1).find((number) => !taken.has(number));
}

const layers = new WeakMap<LabelLayer, Map<number, LabelLayer>>();

/** The layer with the shapes of one instance only. Remembered, so that masks of the list of shapes are found again. */
export function instanceLayer(layer: LabelLayer, instance: number): LabelLayer {
  const known = layers.get(layer) ?? new Map<number, LabelLayer>();
  layers.set(layer, known);
  const found = known.get(instance);
  if (found) return found;
  const shapes = layer.shapes.filter(({ shape }) => instanceOf(shape) === instance);
  const made = shapes.length === layer.shapes.length ? layer : { ...layer, shapes };
  known.set(instance, made);
  return made;
}

/** The shapes of each instance in their order, instances ascending; those that only erase are left out. */
export function shapesByInstance(
  layer: Pick<LabelLayer, 'shapes'>,
): { instance: number; shapes: readonly DrawnShape[] }[] {
  const instances = instancesOf(layer);
  const [only] = instances;
  if (only !== undefined && layer.shapes.every(({ shape }) => instanceOf(shape) === only))
    return [{ instance: only, shapes: layer.shapes }];
  return instances.map((instance) => ({
    instance,
    shapes: layer.shapes.filter(({ shape }) => instanceOf(shape) === instance),
  }));
}
