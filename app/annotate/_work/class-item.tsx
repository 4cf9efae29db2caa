'use client';

import { z } from 'zod';
import { FormWork } from './form-work';
import type { ItemProps } from './item-props';
import { schemaOf } from './task-sentence';
import { useFormOutbox } from './use-form-outbox';

const Stored = z.object({ className: z.string() });

const read = (document: unknown): string => Stored.safeParse(document).data?.className ?? '';
const write = (className: string): string => JSON.stringify({ className });

/** An item that asks what class the object has. */
export function ClassItem(props: ItemProps) {
  const { batch, item } = props;
  const draft = useFormOutbox(props, read, write);
  const answer = () =>
    draft.value === '' ? undefined : ({ kind: 'class', className: draft.value } as const);
  return (
    <FormWork {...props} draft={draft} answer={answer}>
      {() => (
        <div className="mx-auto flex h-full max-w-5xl gap-6">
          {/* biome-ignore lint/performance/noImgElement: signed links are not for the image optimiser. */}
          <img
            src={item.image.working.url}
            alt="The object to name"
            className="min-w-0 flex-1 rounded-lg bg-stage object-contain"
          />
          <fieldset className="w-64 overflow-y-auto">
            <legend className="mb-2 font-semibold">What is it?</legend>
            {schemaOf(batch, item)?.classes.map(({ id, name }) => (
              <label key={id} className="flex h-9 items-center gap-2 rounded-md px-2 hover:bg-hover">
                <input
                  type="radio"
                  name="class"
                  value={id}
                  checked={draft.value === id}
                  onChange={() => draft.change(id)}
                />
                {name}
              </label>
            ))}
          </fieldset>
        </div>
      )}
    </FormWork>
  );
}
