import { useTranslations } from 'next-intl';
import { useMemo } from 'react';
import { CANNOT_TELL } from '@/lib/core/quality/answer';
import type { AttributeChoices, DatasetSchema } from '@/lib/core/schema';
import type { FormText } from './words';

const CLASS = 'class';

/** The question for the class as a form of one group, of which one has to be chosen: its keys and looks are the same. */
function classForm(schema: DatasetSchema, t: FormText): DatasetSchema {
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
        name: t('cannotTell'),
        kind: 'label-only' as const,
        definition: t('cannotTellDefinition'),
      },
    ],
    attributeGroups: [
      {
        id: CLASS,
        name: t('class'),
        attributes: [...classes.map(({ id }) => id), CANNOT_TELL],
        min: 1,
        max: 1,
        exclusiveNone: false,
      },
    ],
  };
}

/** The form in the language of the page. */
export function useClassForm(schema: DatasetSchema): DatasetSchema {
  const t = useTranslations('form');
  return useMemo(() => classForm(schema, t), [schema, t]);
}

export const classChoices = (className: string): AttributeChoices => ({
  [CLASS]: className === '' ? [] : [className],
});

export const chosenClass = (choices: AttributeChoices): string => choices[CLASS]?.[0] ?? '';
