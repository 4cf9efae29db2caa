'use client';

import { useMemo } from 'react';
import { AttributeForm } from '../_attributes/attribute-form';
import { chosenClass, classChoices, classForm } from '../_attributes/class-form';
import { useKeys } from '../_canvas/keys';
import { examplePictures } from './example-pictures';
import { FormWork } from './form-work';
import { readClass, writeClass } from './item-codec';
import type { ItemProps } from './item-props';
import { schemaOf } from './task-sentence';
import { useFormDraft } from './use-form-draft';

/** An item that asks what class the object has. */
export function ClassItem(props: ItemProps) {
  const { batch, item, guide, canEdit } = props;
  const draft = useFormDraft(props, readClass, writeClass);
  const pictures = useMemo(() => examplePictures(guide), [guide]);
  const { choices } = useKeys();
  const schema = schemaOf(batch, item);
  const form = useMemo(() => schema && classForm(schema), [schema]);
  if (!form) return null;
  return (
    <FormWork props={props}>
      {({ done, showProblems }) => (
        <AttributeForm
          schema={form}
          className={null}
          imageUrl={item.image.working.url}
          imageWidth={item.image.width}
          imageHeight={item.image.height}
          imageAlt="The object to name"
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
