'use client';

import { useState } from 'react';
import { AttributeForm } from '@/app/annotate/_attributes/attribute-form';
import { useKeys } from '@/app/annotate/_canvas/keys';
import { type AttributeChoices, fitChoices, validateAttributes } from '@/lib/core/schema';
import { type SaveProps, WriteFrame } from './write-frame';

/** The form that workers have. */
export function ChooseAttributes(props: SaveProps) {
  const { question, onSave } = props;
  const { schema, image, known } = question;
  const [chosen, setChosen] = useState<AttributeChoices>(() =>
    fitChoices(schema, known?.kind === 'attributes' ? known.choices : {}),
  );
  const [showProblems, setShowProblems] = useState(false);
  const { choices } = useKeys();
  const save = (use: boolean) => {
    setShowProblems(true);
    if (validateAttributes(schema, chosen).length > 0) return;
    const plain = Object.fromEntries(Object.entries(chosen).map(([group, options]) => [group, [...options]]));
    onSave({ kind: 'attributes', choices: plain }, use);
  };
  return (
    <WriteFrame {...props} onSave={save}>
      <div className="min-h-0 flex-1 overflow-y-auto p-4">
        <AttributeForm
          schema={schema}
          className={image.className}
          imageUrl={image.url}
          imageWidth={image.width}
          imageHeight={image.height}
          imageAlt={image.name}
          value={chosen}
          onChange={setChosen}
          showProblems={showProblems}
          keyChoices={choices}
        />
      </div>
    </WriteFrame>
  );
}
