import { area, type Mask } from '@/lib/core/mask';
import {
  type DatasetSchema,
  localisedAttributes,
  partsOfClass,
  type SchemaPart,
  wholeObjectAttributes,
} from '@/lib/core/schema';
import type { Figure } from './figure';
import { isObject, type Truth } from './truth';

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

/** Tags of the figures by the part names of Part-ImageNet and Cityscapes; PASCAL-Part names are the tags themselves. */
const TAGS: Readonly<Record<string, readonly string[]>> = {
  'Quadruped Head': ['head'],
  'Quadruped Body': ['torso', 'neck'],
  'Quadruped Foot': ['leg'],
  'Quadruped Tail': ['tail'],
  'Biped Head': ['head'],
  'Biped Body': ['torso'],
  'Biped Hand': ['arm'],
  'Biped Foot': ['leg'],
  'Biped Tail': ['tail'],
  'Fish Head': ['head'],
  'Fish Body': ['torso'],
  'Fish Fin': ['fin'],
  'Fish Tail': ['tail'],
  'Bird Head': ['head'],
  'Bird Body': ['torso', 'neck'],
  'Bird Wing': ['wing'],
  'Bird Foot': ['leg'],
  'Bird Tail': ['tail'],
  'Snake Head': ['head'],
  'Snake Body': ['torso'],
  'Reptile Head': ['head'],
  'Reptile Body': ['torso'],
  'Reptile Foot': ['leg'],
  'Reptile Tail': ['tail'],
  'Car Body': ['body'],
  'Car Tier': ['tier'],
  'Car Side Mirror': ['mirror'],
  'Bicycle Body': ['frame'],
  'Bicycle Head': ['steering'],
  'Bicycle Seat': ['seat'],
  'Bicycle Tier': ['tier'],
  'Boat Body': ['hull'],
  'Boat Sail': ['sail'],
  'Aeroplane Head': ['nose'],
  'Aeroplane Body': ['fuselage'],
  'Aeroplane Engine': ['engine'],
  'Aeroplane Wing': ['wing'],
  'Aeroplane Tail': ['tail'],
  'Bottle Mouth': ['mouth'],
  'Bottle Body': ['body'],
  'human-torso': ['torso'],
  'human-head': ['head'],
  'human-arms': ['arms'],
  'human-legs': ['legs'],
  'vehicle-windows': ['windows'],
  'vehicle-wheels': ['wheels'],
  'vehicle-lights': ['lights'],
  'vehicle-license-plate': ['plate'],
  'vehicle-chassis': ['chassis'],
};

const afterColon = (id: string) => id.slice(id.indexOf(':') + 1);

/** A layer belongs to a part when it carries one of these tags. */
export function tagsOfPart(part: SchemaPart): readonly string[] {
  return TAGS[part.id] ?? (part.merges ?? [part.id]).map(afterColon);
}
