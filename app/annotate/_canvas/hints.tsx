'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { cn } from '@/app/_ui/cn';
import { type Editor, isIdle } from '@/lib/core/editor';
import { useAnnounce } from './announcer';
import { useEditorText } from './editor-text';
import { useEditor } from './use-editor';

/** What the tool does next, and what has just happened; the latter is read out as well. */
export function Hints({ editor, id }: { editor: Editor; id: string }) {
  const announce = useAnnounce();
  const t = useTranslations('canvas');
  const toText = useEditorText();
  const [said, setSaid] = useState({ text: '', refused: false });
  const tool = useEditor(editor, (state) => state.tool);
  const hint = t(`tools.${tool}.hint`);
  const isDrawing = useEditor(editor, (state) => !isIdle(state));
  useEffect(
    () =>
      editor.onEffect((effect) => {
        if (effect.kind !== 'announce') return;
        const text = toText(effect.message);
        setSaid({ text, refused: effect.refused });
        announce?.(text);
      }),
    [editor, announce, toText],
  );
  return (
    <p className="flex min-w-0 flex-1 items-center gap-3">
      <span
        role={announce ? undefined : 'status'}
        className={cn('max-w-96 truncate font-medium wide:shrink-0', said.refused ? 'text-bad' : 'text-ink')}
      >
        {said.text}
      </span>
      <span id={id} className="min-w-0 truncate text-ink-3 max-lg:hidden">
        {isDrawing ? t('drawingHint', { hint }) : hint}
      </span>
    </p>
  );
}
