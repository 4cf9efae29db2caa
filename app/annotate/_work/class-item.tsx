'use client';

import { useMemo, useState } from 'react';
import { z } from 'zod';
import { AttributeForm } from '../_attributes/attribute-form';
import { chosenClass, classChoices, classForm } from '../_attributes/class-form';
import { useKeys } from '../_canvas/keys';
import { examplePictures } from './example-pictures';
import { FormWork } from './form-work';
import type { ItemProps } from './item-props';
import { schemaOf } from './task-sentence';
import { useFormOutbox } from './use-form-outbox';

const Stored = z.object({ className: z.string() });

const read = (document: unknown): string => Stored.safeParse(document).data?.className ?? '';
const write = (className: string): string => JSON.stringify({ className });

/** An item that asks what class the object has. */
export function ClassItem(props: ItemProps) {
  const { batch, item, guide } = props;
  const draft = useFormOutbox(props, read, write);
  const [showProblems, setShowProblems] = useState(false);
  const pictures = useMemo(() => examplePictures(guide), [guide]);
  const { choices } = useKeys();
  const schema = schemaOf(batch, item);
  const form = useMemo(() => schema && classForm(schema), [schema]);
  if (!form) return null;
  // A draft may have been made under an older schema.
  const chosen = form.classes.some(({ id }) => id === draft.value) ? draft.value : '';
  const answer = () => {
    setShowProblems(true);
    return chosen === '' ? undefined : ({ kind: 'class', className: chosen } as const);
  };
  return (
    <FormWork {...props} draft={draft} answer={answer}>
      {(submit) => (
        <AttributeForm
          schema={form}
          className={null}
          imageUrl={item.image.working.url}
          imageWidth={item.image.width}
          imageHeight={item.image.height}
          imageAlt="The object to name"
          value={classChoices(chosen)}
          onChange={(next) => draft.change(chosenClass(next))}
          onSubmit={submit}
          showProblems={showProblems}
          keyChoices={choices}
          isInert={!props.mayEdit || item.state !== 'open'}
          examples={pictures}
        />
      )}
    </FormWork>
  );
}
