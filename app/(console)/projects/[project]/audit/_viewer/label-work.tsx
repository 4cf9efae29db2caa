'use client';

import { type ReactNode, useState } from 'react';
import { Skeleton } from '@/app/_ui/skeleton';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { FixDrawing } from './fix-drawing';
import { FixForm } from './fix-form';
import { LabelPanel } from './label-panel';
import { PicturePane } from './picture-pane';
import type { Shown } from './use-label';
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
        <FixDrawing key={label.id} label={label} {...fixing} />
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
