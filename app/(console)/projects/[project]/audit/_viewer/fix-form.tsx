'use client';

import { useEffect, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { Kbd } from '@/app/_ui/kbd';
import { AttributeForm } from '@/app/annotate/_attributes/attribute-form';
import { type AttributeChoices, type DatasetSchema, fitChoices, validateAttributes } from '@/lib/core/schema';
import type { FixProps } from './fix-drawing';

/** The attribute form in the place of the picture, filled in as the label has it. */
export function FixForm({ label, isPending, problem, onSave, onCancel }: FixProps) {
  const schema = label.schema as DatasetSchema;
  const [choices, setChoices] = useState<AttributeChoices>(() =>
    fitChoices(schema, label.value.kind === 'attributes' ? label.value.choices : {}),
  );
  const [showProblems, setShowProblems] = useState(false);
  const save = () => {
    setShowProblems(true);
    if (isPending || validateAttributes(schema, choices).length > 0) return;
    const plain = Object.fromEntries(
      Object.entries(choices).map(([group, options]) => [group, [...options]]),
    );
    onSave({ kind: 'attributes', choices: plain });
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) onCancel();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [onCancel]);
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex h-9 shrink-0 items-center gap-2 border-b border-line bg-surface px-2">
        <p className="min-w-0 flex-1 truncate">
          <span className="font-medium">Put the attributes right.</span>{' '}
          <span role="alert" className="text-bad">
            {problem}
          </span>
        </p>
        <Button onClick={onCancel}>
          Cancel <Kbd keys="Esc" />
        </Button>
        <Button variant="primary" pending={isPending} onClick={save}>
          Save <Kbd keys="Ctrl Enter" className="opacity-80" />
        </Button>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-3">
        <AttributeForm
          schema={schema}
          className={label.image.className}
          imageUrl={label.image.url}
          imageWidth={label.image.width}
          imageHeight={label.image.height}
          imageAlt={label.image.name}
          value={choices}
          onChange={setChoices}
          onSubmit={save}
          showProblems={showProblems}
        />
      </div>
    </div>
  );
}
