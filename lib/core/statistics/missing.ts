import { partsOfClass } from '@/lib/core/schema/types';
import { objectsOf } from './counts';
import type { Look } from './findings';

/** What somebody should have been asked. Images whose masks were left out on purpose miss no mask. */
export const missing: readonly Look[] = [
  {
    id: 'no-class',
    kind: 'missing',
    title: 'No class',
    says: 'The image has no class: no part of it can be asked, and no classifier can learn from it.',
    *cases({ className }) {
      if (className === null) yield 'no class';
    },
  },
  {
    id: 'no-form',
    kind: 'missing',
    title: 'No attribute form',
    says: 'The schema has attributes, and nobody said which of them the image has.',
    *cases({ attributes }, schema) {
      if (schema.attributes.length > 0 && attributes === null) yield 'nobody was asked';
    },
  },
  {
    id: 'group-without-answer',
    kind: 'missing',
    title: 'Group without answer',
    says: 'Fewer attributes of a group are marked than its rule asks for, and "none" is no answer there.',
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
    says: 'A localised attribute is marked, and nobody drew where it is.',
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
    says: 'The class has the part, and nobody drew it or said that it cannot be seen.',
    *cases(image, schema) {
      if (!image.hasMasks) return;
      for (const { className, parts, absent } of objectsOf(image)) {
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
    says: 'Other images have an outline of the whole object, this one has none.',
    *cases({ objects, hasMasks }) {
      if (hasMasks && !objects.some(({ outline }) => outline)) yield 'no outline';
    },
  },
];
