import { area, type Mask } from '@/lib/core/mask';
import {
  type DatasetSchema,
  localisedAttributes,
  partsOfClass,
  wholeObjectAttributes,
} from '@/lib/core/schema';
import type { Figure } from './figure';
import { isObject, type Truth } from './truth';
import { tagsOfPart } from './vocabulary';

/** What a worker could be expected to notice: 0.02 % of the picture, and never below 12 pixels. */
export function isNoticeable(mask: Mask): boolean {
  return area(mask) >= Math.max(12, 0.0002 * mask.height * mask.width);
}

export function partMasksOf(
  schema: DatasetSchema,
  className: string,
  truth: Truth,
  instance: number,
): Record<string, Mask> {
  const masks: Record<string, Mask> = {};
  for (const part of partsOfClass(schema, className)) {
    const tags = tagsOfPart(part);
    const mask = truth.mask(
      (layer) => layer.instance === instance && layer.tags.some((tag) => tags.includes(tag)),
    );
    if (area(mask) > 0) masks[part.id] = mask;
  }
  return masks;
}

/** Masks of the localised attributes that can be seen well enough to be labelled. */
export function attributeMasksOf(schema: DatasetSchema, truth: Truth): Record<string, Mask> {
  const masks: Record<string, Mask> = {};
  for (const { id } of localisedAttributes(schema)) {
    const mask = truth.mask((layer) => isObject(layer) && layer.tags.includes(id));
    if (isNoticeable(mask)) masks[id] = mask;
  }
  return masks;
}

/** Every attribute of the schema but the colours, true or false. */
export function attributesOf(
  schema: DatasetSchema,
  masks: Readonly<Record<string, Mask>>,
  traits: ReadonlySet<string>,
): Record<string, boolean> {
  return Object.fromEntries([
    ...localisedAttributes(schema).map(({ id }) => [id, masks[id] !== undefined] as const),
    ...wholeObjectAttributes(schema).map(({ id }) => [id, traits.has(id)] as const),
  ]);
}

/** A second colour counts as dominant from this share of the visible object on. */
const SECOND_COLOUR = 0.22;

/** The one or two colours that cover most of the object, in schemas that ask for colours. */
export function coloursOf(schema: DatasetSchema, truth: Truth, figure: Figure): string[] {
  if (!schema.attributes.some(({ kind }) => kind === 'label-only')) return [];
  const areas = truth.colourAreas();
  const total = [...areas.values()].reduce((sum, value) => sum + value, 0);
  if (figure.markColour) {
    const { name, share } = figure.markColour;
    for (const [other, value] of areas) areas.set(other, value * (1 - share));
    areas.set(name, (areas.get(name) ?? 0) + total * share);
  }
  const ranked = [...areas].sort((a, b) => b[1] - a[1]);
  return ranked
    .filter(([, value], i) => i === 0 || (i === 1 && value >= SECOND_COLOUR * total))
    .map(([name]) => name);
}
