'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { Kbd } from '@/app/_ui/kbd';
import { Skeleton } from '@/app/_ui/skeleton';
import { AttributeForm } from '@/app/annotate/_attributes/attribute-form';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { type AttributeChoices, type DatasetSchema, fitChoices, validateAttributes } from '@/lib/core/schema';
import { FixDrawing, type FixProps } from './fix-drawing';
import { LabelPanel } from './label-panel';
import type { Shown } from './label-store';
import { PicturePane } from './picture-pane';
import type { Look } from './use-look';

type Props = {
  slug: string;
  shown: Shown;
  look: Look;
  onLook: (change: Partial<Look>) => void;
  isFixing: boolean;
  isBlind?: boolean;
  /** Resolves to whether it was stored. */
  onFix: (value: AnswerValue) => Promise<boolean>;
  onFixEnd: () => void;
  /** Buttons, above what is known about the label. */
  actions: ReactNode;
};

/** One label: its picture, or the annotator in its place, and what is known about it. */
export function LabelWork({ slug, shown, look, onLook, isFixing, isBlind, onFix, onFixEnd, actions }: Props) {
  const { label, problem } = shown;
  const [isPending, setPending] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const save = async (value: AnswerValue) => {
    setPending(true);
    const isStored = await onFix(value);
    setPending(false);
    setTrouble(isStored ? undefined : 'It was not stored.');
    if (isStored) onFixEnd();
  };
  const fixing = { isPending, problem: trouble, onSave: save, onCancel: onFixEnd };
  return (
    <div className="flex min-h-0 flex-1">
      {!label && (
        <div className="flex flex-1 items-center justify-center bg-stage p-6">
          {problem ? <p role="alert">{problem}</p> : <Skeleton className="size-2/3" />}
        </div>
      )}
      {label && !isFixing && <PicturePane label={label} look={look} onLook={onLook} />}
      {label && isFixing && label.stage.kind === 'attributes' && (
        <FixForm key={label.id} label={label} {...fixing} />
      )}
      {label && isFixing && label.stage.kind !== 'attributes' && (
        <FixDrawing key={label.id} slug={slug} label={label} {...fixing} />
      )}
      {!(isFixing && label?.stage.kind === 'attributes') && (
        <aside
          aria-label="About the label"
          className="flex w-80 shrink-0 flex-col overflow-y-auto border-l border-line bg-surface"
        >
          {!isFixing && actions}
          {label && <LabelPanel slug={slug} label={label} isBlind={isBlind} />}
        </aside>
      )}
    </div>
  );
}

/** The attribute form in the place of the picture, filled in as the label has it. */
function FixForm({ label, isPending, problem, onSave, onCancel }: FixProps) {
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
