'use client';

import { useTranslations } from 'next-intl';
import { useMemo } from 'react';
import { fitChoices } from '@/lib/core/schema';
import { AttributeForm } from '../_attributes/attribute-form';
import { useKeys } from '../_canvas/keys';
import { examplePictures } from './example-pictures';
import { FormWork } from './form-work';
import { readChoices, writeChoices } from './item-codec';
import type { ItemProps } from './item-props';
import { schemaOf } from './task-sentence';
import { useFormDraft } from './use-form-draft';

/** An item that asks which attributes the object has. */
export function AttributeItem(props: ItemProps) {
  const t = useTranslations('work');
  const { batch, item, guide, canEdit } = props;
  const draft = useFormDraft(props, readChoices, writeChoices);
  const pictures = useMemo(() => examplePictures(guide, t), [guide, t]);
  const { choices } = useKeys();
  const schema = schemaOf(batch, item);
  if (!schema) return null;
  return (
    <FormWork props={props}>
      {({ done, showProblems }) => (
        <AttributeForm
          schema={schema}
          className={item.className}
          imageUrl={item.image.working.url}
          imageWidth={item.image.width}
          imageHeight={item.image.height}
          imageAlt={t('imageToDescribe')}
          // A draft may have been made under an older schema.
          value={fitChoices(schema, draft.value)}
          onChange={draft.change}
          onSubmit={done}
          submitsByEnter
          showProblems={showProblems}
          keyChoices={choices}
          isInert={!canEdit}
          examples={pictures}
        />
      )}
    </FormWork>
  );
}
