'use client';

import { Focus, LoaderCircle, WandSparkles } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { MouseEvent } from 'react';
import { Button } from '@/app/_ui/button';
import { type ActionId, type Editor, layerOf } from '@/lib/core/editor';
import { useEditorText } from './editor-text';
import { focusCanvas } from './focus-canvas';
import { useKeyFor } from './keys';
import type { Assists } from './use-assists-there';
import { useEditor } from './use-editor';

interface Props {
  editor: Editor;
  assists: Assists;
  /** The project's model has an outline of what is asked, and the item is open. */
  hasOutline: boolean;
}

/**
 * What the smart object tool can do now, over the image while the tool is chosen. An outline of the project's model is
 * offered with any tool, and only looked at when somebody asks for it.
 */
export function AssistBar({ editor, assists: { there }, hasOutline }: Props) {
  const isChosen = useEditor(editor, ({ tool }) => tool === 'smart-object');
  const stage = useEditor(editor, ({ toolState }) => toolState.name);
  const isBlank = useEditor(editor, ({ document, label }) => !layerOf(document, label)?.shapes.length);
  const t = useTranslations('canvas.assist');
  const text = useEditorText();
  const keyFor = useKeyFor();
  // With any other tool it is offered until something is drawn: then it would only be in the way.
  const isOffered = hasOutline && (isChosen || isBlank);
  if (!isOffered && (!isChosen || !there)) return null;
  const isDrawing = !isChosen && stage !== 'idle';
  // While something is being drawn by hand, nothing is in the way.
  if (isDrawing) return null;
  const act = (action: ActionId) => (event: MouseEvent) => {
    editor.dispatch({ type: 'action', action, time: event.timeStamp });
    if (event.detail > 0) focusCanvas();
  };
  const isWaiting = isChosen && stage === 'waiting';
  const isReviewing = isChosen && stage === 'reviewing';
  // Whoever came here for the outline does not need to hear which other model is missing.
  const problem = isChosen && !hasOutline ? there?.problem : undefined;
  const isPreparing = isChosen && there?.isPreparing === true && !isReviewing;
  const notice = problem
    ? text(problem)
    : isPreparing
      ? t('preparing')
      : isWaiting
        ? t('looking')
        : undefined;
  const canFindMain = isChosen && !isWaiting && there?.prompts.includes('main-object') === true;
  const canFetchOutline = isOffered && !isWaiting && !isReviewing;
  if (!notice && !canFindMain && !canFetchOutline && !isReviewing) return null;
  return (
    <div className="absolute top-3 left-1/2 z-10 flex max-w-[calc(100%-1.5rem)] -translate-x-1/2 items-center gap-2 rounded-md border border-line bg-surface px-2 py-1.5 text-sm shadow-sm">
      {notice && (
        <span role="status" className="flex min-w-0 items-center gap-1.5 px-1 text-ink-2">
          {isPreparing && <LoaderCircle aria-hidden className="size-4 shrink-0 motion-safe:animate-spin" />}
          {notice}
        </span>
      )}
      {canFetchOutline && (
        <Button size="small" icon={<WandSparkles aria-hidden />} onClick={act('model-outline')}>
          {t('modelOutline')} <kbd className="font-sans text-2xs text-ink-3">{keyFor('model-outline')}</kbd>
        </Button>
      )}
      {canFindMain && (
        <Button size="small" icon={<Focus aria-hidden />} onClick={act('main-object')}>
          {t('mainObject')} <kbd className="font-sans text-2xs text-ink-3">{keyFor('main-object')}</kbd>
        </Button>
      )}
      {isReviewing && (
        <>
          <Button size="small" onClick={act('cancel')}>
            {t('reject')} <kbd className="font-sans text-2xs text-ink-3">{keyFor('cancel')}</kbd>
          </Button>
          <Button size="small" variant="primary" onClick={act('confirm')}>
            {t('accept')} <kbd className="font-sans text-2xs">{keyFor('confirm')}</kbd>
          </Button>
        </>
      )}
    </div>
  );
}
