'use client';

import { useTranslations } from 'next-intl';
import { useMemo } from 'react';
import type { DatasetSchema } from '@/lib/core/schema';
import { AttributeForm } from '../_attributes/attribute-form';
import { chosenClass, classChoices, useClassForm } from '../_attributes/class-form';
import { useKeys } from '../_canvas/keys';
import { examplePictures } from './example-pictures';
import { FormWork } from './form-work';
import { readClass, writeClass } from './item-codec';
import type { ItemProps } from './item-props';
import { schemaOf } from './task-sentence';
import { useFormDraft } from './use-form-draft';

/** An item that asks what class the object has. */
export function ClassItem(props: ItemProps) {
  const schema = schemaOf(props.batch, props.item);
  return schema ? <ClassQuestion {...props} schema={schema} /> : null;
}

function ClassQuestion({ schema, ...props }: ItemProps & { schema: DatasetSchema }) {
  const t = useTranslations('work');
  const { item, guide, canEdit } = props;
  const draft = useFormDraft(props, readClass, writeClass);
  const pictures = useMemo(() => examplePictures(guide, t), [guide, t]);
  const { choices } = useKeys();
  const form = useClassForm(schema);
  return (
    <FormWork props={props}>
      {({ done, showProblems }) => (
        <AttributeForm
          schema={form}
          className={null}
          imageUrl={item.image.working.url}
          imageWidth={item.image.width}
          imageHeight={item.image.height}
          imageAlt={t('imageToName')}
          value={classChoices(draft.value)}
          onChange={(next) => draft.change(chosenClass(next))}
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
