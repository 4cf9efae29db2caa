'use client';

import { useEffect, useState } from 'react';
import { cn } from '@/app/_ui/cn';
import { type Editor, isIdle, toolOf } from '@/lib/core/editor';
import { useAnnounce } from './announcer';
import { useEditor } from './use-editor';

/** What the tool does next, and what has just happened; the latter is read out as well. */
export function Hints({ editor, id }: { editor: Editor; id: string }) {
  const announce = useAnnounce();
  const [said, setSaid] = useState({ text: '', refused: false });
  const hint = useEditor(editor, ({ tool }) => toolOf(tool).hint);
  const isDrawing = useEditor(editor, (state) => !isIdle(state));
  useEffect(
    () =>
      editor.onEffect((effect) => {
        if (effect.kind !== 'announce') return;
        setSaid({ text: effect.text, refused: effect.refused });
        announce?.(effect.text);
      }),
    [editor, announce],
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
        {isDrawing ? `${hint} Backspace takes back the last step, Escape gives up.` : hint}
      </span>
    </p>
  );
}
