'use client';

import { useState } from 'react';
import { AttributeForm } from '@/app/annotate/_attributes/attribute-form';
import { chosenClass, classChoices, useClassForm } from '@/app/annotate/_attributes/class-form';
import { useKeys } from '@/app/annotate/_canvas/keys';
import { type SaveProps, WriteFrame } from './write-frame';

/** The form that workers have. */
export function ChooseClass(props: SaveProps) {
  const { image, schema, known } = props.question;
  const [chosen, setChosen] = useState(known?.kind === 'class' ? known.className : '');
  const [showProblems, setShowProblems] = useState(false);
  const form = useClassForm(schema);
  const { choices } = useKeys();
  const save = (use: boolean) => {
    setShowProblems(true);
    if (chosen !== '') props.onSave({ kind: 'class', className: chosen }, use);
  };
  return (
    <WriteFrame {...props} onSave={save}>
      <div className="min-h-0 flex-1 overflow-y-auto p-4">
        <AttributeForm
          schema={form}
          className={null}
          imageUrl={image.url}
          imageWidth={image.width}
          imageHeight={image.height}
          imageAlt={image.name}
          value={classChoices(chosen)}
          onChange={(next) => setChosen(chosenClass(next))}
          showProblems={showProblems}
          keyChoices={choices}
        />
      </div>
    </WriteFrame>
  );
}
