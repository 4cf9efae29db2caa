import { CANNOT_TELL } from '@/lib/core/quality/answer';
import type { AttributeChoices, DatasetSchema } from '@/lib/core/schema';

const CLASS = 'class';

/** The question for the class as a form of one group, of which one has to be chosen: its keys and looks are the same. */
export function classForm(schema: DatasetSchema): DatasetSchema {
  const { classes } = schema;
  return {
    ...schema,
    parts: [],
    attributes: [
      ...classes.map(({ id, name, definition }) => ({
        id,
        name,
        kind: 'label-only' as const,
        definition: definition ?? '',
      })),
      {
        id: CANNOT_TELL,
        name: 'Cannot tell',
        kind: 'label-only' as const,
        definition: 'Nothing in the picture tells which of the classes it is.',
      },
    ],
    attributeGroups: [
      {
        id: CLASS,
        name: 'Class',
        attributes: [...classes.map(({ id }) => id), CANNOT_TELL],
        min: 1,
        max: 1,
        exclusiveNone: false,
      },
    ],
  };
}

export const classChoices = (className: string): AttributeChoices => ({
  [CLASS]: className === '' ? [] : [className],
});

export const chosenClass = (choices: AttributeChoices): string => choices[CLASS]?.[0] ?? '';
