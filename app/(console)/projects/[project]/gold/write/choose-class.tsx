'use client';

import { useState } from 'react';
import { type SaveProps, WriteFrame } from './write-frame';

export function ChooseClass(props: SaveProps) {
  const { image, schema, known } = props.question;
  const [chosen, setChosen] = useState(known?.kind === 'class' ? known.className : '');
  const save = (use: boolean) =>
    props.onSave(chosen === '' ? undefined : { kind: 'class', className: chosen }, use);
  return (
    <WriteFrame {...props} onSave={save}>
      {/* biome-ignore lint/performance/noImgElement: signed links are not for the image optimiser. */}
      <img src={image.url} alt={image.name} className="min-w-0 flex-1 bg-stage object-contain" />
      <fieldset className="w-64 overflow-y-auto p-3">
        <legend className="font-semibold">What is it?</legend>
        {schema.classes.map(({ id, name }) => (
          <label key={id} className="flex h-8 items-center gap-2 rounded-md px-2 hover:bg-hover">
            <input type="radio" name="class" checked={chosen === id} onChange={() => setChosen(id)} />
            {name}
          </label>
        ))}
      </fieldset>
    </WriteFrame>
  );
}
