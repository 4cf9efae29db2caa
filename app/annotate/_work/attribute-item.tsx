'use client';

import { useMemo, useState } from 'react';
import { z } from 'zod';
import { type AttributeChoices, fitChoices, validateAttributes } from '@/lib/schema';
import { AttributeForm } from '../_attributes/attribute-form';
import { useKeys } from '../_canvas/keys';
import { examplePictures } from './example-pictures';
import { FormWork } from './form-work';
import type { ItemProps } from './item-props';
import { schemaOf } from './task-sentence';
import { useFormOutbox } from './use-form-outbox';

const Stored = z.object({ choices: z.record(z.string(), z.array(z.string())) });

const read = (document: unknown): AttributeChoices => Stored.safeParse(document).data?.choices ?? {};

/** Groups in order of their names: the database does not keep the order of keys. */
const write = (choices: AttributeChoices): string =>
  JSON.stringify({
    choices: Object.fromEntries(Object.entries(choices).sort(([a], [b]) => (a < b ? -1 : 1))),
  });

/** An item that asks which attributes the object has. */
export function AttributeItem(props: ItemProps) {
  const { batch, item, guide } = props;
  const draft = useFormOutbox(props, read, write);
  const [showProblems, setShowProblems] = useState(false);
  const pictures = useMemo(() => examplePictures(guide), [guide]);
  const { choices } = useKeys();
  const schema = schemaOf(batch, item);
  if (!schema) return null;
  // A draft may have been made under an older schema.
  const chosen = fitChoices(schema, draft.value);
  const answer = () => {
    setShowProblems(true);
    const isGood = validateAttributes(schema, chosen).length === 0;
    return isGood ? ({ kind: 'attributes', choices: writable(chosen) } as const) : undefined;
  };
  return (
    <FormWork {...props} draft={draft} answer={answer}>
      {(submit) => (
        <AttributeForm
          schema={schema}
          className={item.className}
          imageUrl={item.image.working.url}
          imageWidth={item.image.width}
          imageHeight={item.image.height}
          imageAlt="The image to describe"
          value={chosen}
          onChange={draft.change}
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

function writable(choices: AttributeChoices): Record<string, string[]> {
  return Object.fromEntries(Object.entries(choices).map(([group, options]) => [group, [...options]]));
}
