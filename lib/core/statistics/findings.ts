import { type DatasetImage, instanceMasks } from '@/lib/core/formats/dataset';
import { area, DEFAULT_SIZE_AWARE_RULE, dilate, intersectionArea, type Mask } from '@/lib/core/mask';
import { type DatasetSchema, partsOfClass } from '@/lib/core/schema/types';
import { objectsOf } from './counts';

export type FindingKind = 'missing' | 'contradictory' | 'near-empty';

/** A question about the labels of one image; each thing that it yields is one case, said in a few words. */
interface LabelCheck {
  id: string;
  kind: FindingKind;
  title: string;
  /** What is meant, with its limits. */
  description: string;
  cases(image: DatasetImage, schema: DatasetSchema): Iterable<string>;
}

export interface Finding extends Omit<LabelCheck, 'cases'> {
  /** Cases; an image may have several. */
  count: number;
  images: number;
  /** The first, by image. */
  examples: { image: string; cases: string[] }[];
}

/** Checks for missing answers. Images without masks on purpose are exempt from mask checks. */
const missingLabelChecks: readonly LabelCheck[] = [
  {
    id: 'no-class',
    kind: 'missing',
    title: 'No class',
    description: 'The image has no class: no part of it can be asked, and no classifier can learn from it.',
    *cases({ className }) {
      if (className === null) yield 'no class';
    },
  },
  {
    id: 'no-form',
    kind: 'missing',
    title: 'No attribute form',
    description: 'The schema has attributes, and nobody said which of them the image has.',
    *cases({ attributes }, schema) {
      if (schema.attributes.length > 0 && attributes === null) yield 'nobody was asked';
    },
  },
  {
    id: 'group-without-answer',
    kind: 'missing',
    title: 'Group without answer',
    description:
      'Fewer attributes of a group are marked than its rule asks for, and "none" is no answer there.',
    *cases({ attributes }, schema) {
      if (!attributes) return;
      for (const { name, min, exclusiveNone, attributes: members } of schema.attributeGroups) {
        const marked = members.filter((id) => attributes.present.includes(id)).length;
        // A form that says "none" has chosen one option of the group, which a list of what is there does not show.
        if (marked < min && !(exclusiveNone && marked === 0)) yield `${name}: ${marked} of at least ${min}`;
      }
    },
  },
  {
    id: 'attribute-not-drawn',
    kind: 'missing',
    title: 'Attribute not drawn',
    description: 'A localised attribute is marked, and nobody drew where it is.',
    *cases({ attributes, attributeMasks, hasMasks }, schema) {
      if (!attributes || !hasMasks) return;
      for (const { id, name, kind } of schema.attributes)
        if (kind === 'localised' && attributes.present.includes(id))
          if (!attributeMasks.some((label) => label.id === id)) yield name;
    },
  },
  {
    id: 'part-not-asked',
    kind: 'missing',
    title: 'Part not asked',
    description: 'The class has the part, and nobody drew it or said that it cannot be seen.',
    *cases(image, schema) {
      if (!image.hasMasks) return;
      for (const { className, parts, absent } of objectsOf(image, schema)) {
        if (className === null) continue;
        for (const { id, name } of partsOfClass(schema, className))
          if (!absent.includes(id) && !parts.some((part) => part.id === id)) yield name;
      }
    },
  },
  {
    id: 'no-outline',
    kind: 'missing',
    title: 'Object not drawn',
    description: 'Other images have an outline of the whole object, this one has none.',
    *cases({ objects, hasMasks }) {
      if (hasMasks && !objects.some(({ outline }) => outline)) yield 'no outline';
    },
  },
];

/** Either outline may be off by what a careful hand is forgiven; the audit queue warns by the same rule. */
const ROOM = 2 * DEFAULT_SIZE_AWARE_RULE.tolerance;
const OUTSIDE_SHARE = 0.15;

/** 8 × 8 pixels: below this, two pixels of a careful hand's error are half of the mask. */
const TINY_PIXELS = 64;

/** Labels that cannot both be right, and masks that are hardly there. */
const contradictionChecks: readonly LabelCheck[] = [
  {
    id: 'mask-of-absent-attribute',
    kind: 'contradictory',
    title: 'Mask of an absent attribute',
    description: 'A mask was drawn for an attribute that the form marks as absent.',
    *cases({ attributes, attributeMasks }, schema) {
      if (!attributes) return;
      for (const id of new Set(attributeMasks.map((label) => label.id)))
        if (!attributes.present.includes(id)) yield nameOf(schema.attributes, id);
    },
  },
  {
    id: 'too-many-of-a-group',
    kind: 'contradictory',
    title: 'Exclusive attributes together',
    description: 'More attributes of a group are marked than can be there at once.',
    *cases({ attributes }, schema) {
      if (!attributes) return;
      for (const { max, attributes: members } of schema.attributeGroups) {
        const marked = members.filter((id) => attributes.present.includes(id));
        if (marked.length > max) yield marked.map((id) => nameOf(schema.attributes, id)).join(' + ');
      }
    },
  },
  {
    id: 'part-of-another-class',
    kind: 'contradictory',
    title: 'Part of another class',
    description: 'The object has a part that its class does not have.',
    *cases({ className, objects }, schema) {
      for (const object of objects) {
        const own = object.className ?? className;
        for (const id of new Set(object.parts.map((part) => part.id)))
          if (own !== null && !schema.parts.find((part) => part.id === id)?.classes.includes(own))
            yield `${nameOf(schema.parts, id)} of ${nameOf(schema.classes, own)}`;
      }
    },
  },
  {
    id: 'drawn-and-absent',
    kind: 'contradictory',
    title: 'Drawn and absent',
    description: 'The same part of the same object was drawn and said to be not there.',
    *cases({ objects }, schema) {
      for (const { parts, absent } of objects)
        for (const id of new Set(absent))
          if (parts.some((part) => part.id === id)) yield nameOf(schema.parts, id);
    },
  },
  {
    id: 'object-of-another-class',
    kind: 'contradictory',
    title: 'Object of another class',
    description: 'The first object of an image is what the image is of, and the two have different classes.',
    *cases({ className, objects }, schema) {
      const own = objects[0]?.className ?? null;
      if (className !== null && own !== null && own !== className)
        yield `${nameOf(schema.classes, own)} in an image of ${nameOf(schema.classes, className)}`;
    },
  },
  {
    id: 'part-outside-object',
    kind: 'contradictory',
    title: 'Part outside the object',
    description: `More than ${OUTSIDE_SHARE * 100} % of the part lies more than ${ROOM} pixels outside of the object’s own outline.`,
    *cases({ objects }, schema) {
      for (const { outline, parts } of objects) {
        if (!outline) continue;
        const liesOutside = outsideOf(outline.mask);
        for (const { id, mask } of parts) if (liesOutside(mask)) yield nameOf(schema.parts, id);
      }
    },
  },
  {
    id: 'mask-of-another-size',
    kind: 'contradictory',
    title: 'Mask of another size',
    description: 'The mask has not as many rows and columns as the image.',
    *cases(image, schema) {
      for (const { mask, name } of namedMasks(image, schema))
        if (mask.width !== image.width || mask.height !== image.height)
          yield `${name}: ${mask.width} × ${mask.height} in ${image.width} × ${image.height}`;
    },
  },
  {
    id: 'near-empty',
    kind: 'near-empty',
    title: 'Near-empty mask',
    description: `The mask has fewer than ${TINY_PIXELS} pixels: is it the part, or a click?`,
    *cases(image, schema) {
      for (const { mask, name } of namedMasks(image, schema)) {
        const pixels = area(mask);
        if (pixels < TINY_PIXELS) yield `${name}: ${pixels} px`;
      }
    },
  },
];

type Names = readonly { id: string; name: string }[];

const nameOf = (list: Names, id: string) => list.find((entry) => entry.id === id)?.name ?? id;

function* namedMasks(image: DatasetImage, schema: { parts: Names; attributes: Names }) {
  for (const { id, mask } of image.attributeMasks) yield { mask, name: nameOf(schema.attributes, id) };
  for (const { outline, parts } of image.objects) {
    if (outline) yield { mask: outline.mask, name: 'whole object' };
    for (const part of parts)
      for (const mask of instanceMasks(part)) yield { mask, name: nameOf(schema.parts, part.id) };
  }
}

function outsideOf(object: Mask): (part: Mask) => boolean {
  // Widening the object is dear, and most parts lie within it anyway.
  let widened: Mask | undefined;
  return (part) => {
    if (part.width !== object.width || part.height !== object.height) return false;
    const pixels = area(part);
    const isOver = (within: Mask) => 1 - intersectionArea(part, within) / pixels > OUTSIDE_SHARE;
    if (pixels === 0 || !isOver(object)) return false;
    widened ??= dilate(object, ROOM);
    return isOver(widened);
  };
}

export const labelChecks: readonly LabelCheck[] = [...missingLabelChecks, ...contradictionChecks];

const SHOWN_IMAGES = 100;
const SHOWN_CASES = 8;

/** Gathers what the looks find, with the first images of each. */
export class Findings {
  readonly #found = new Map<LabelCheck, Finding>();
  readonly #schema: DatasetSchema;

  constructor(schema: DatasetSchema) {
    this.#schema = schema;
  }

  add(image: DatasetImage): void {
    for (const look of labelChecks) {
      const cases = [...look.cases(image, this.#schema)];
      if (cases.length === 0) continue;
      const { cases: _, ...said } = look;
      const finding = this.#found.get(look) ?? { ...said, count: 0, images: 0, examples: [] };
      this.#found.set(look, finding);
      finding.count += cases.length;
      finding.images += 1;
      if (finding.examples.length < SHOWN_IMAGES)
        finding.examples.push({ image: image.name, cases: cases.slice(0, SHOWN_CASES) });
    }
  }

  /** `outlines` is the number of object outlines; without any, missing outlines are not reported. */
  result({ outlines }: { outlines: number }): Finding[] {
    return labelChecks
      .filter(({ id }) => outlines > 0 || id !== 'no-outline')
      .flatMap((look) => this.#found.get(look) ?? []);
  }
}
