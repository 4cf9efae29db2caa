'use client';

import { useEffect, useState } from 'react';
import { cn } from '@/app/_ui/cn';
import { type Editor, isIdle, toolOf } from '@/lib/annotator';
import { useEditor } from './use-editor';

/** What the tool does next, and what has just happened; the latter is read out. */
export function Hints({ editor, id }: { editor: Editor; id: string }) {
  const [said, setSaid] = useState({ text: '', refused: false, count: 0 });
  const hint = useEditor(editor, ({ tool }) => toolOf(tool).hint);
  const isDrawing = useEditor(editor, (state) => !isIdle(state));
  useEffect(
    () =>
      editor.onEffect((effect) => {
        if (effect.kind === 'announce')
          setSaid(({ count }) => ({ text: effect.text, refused: effect.refused, count: count + 1 }));
      }),
    [editor],
  );
  return (
    <p className="flex min-w-0 flex-1 items-center gap-3">
      <span
        role="status"
        className={cn('max-w-96 shrink-0 truncate font-medium', said.refused ? 'text-bad' : 'text-ink')}
      >
        {/* A repeated sentence is told again only if the text differs. */}
        {said.text}
        {said.count % 2 === 1 && ' '}
      </span>
      <span id={id} className="min-w-0 truncate text-ink-3 max-lg:hidden">
        {isDrawing ? `${hint} Backspace takes back the last step, Escape gives up.` : hint}
      </span>
    </p>
  );
}
