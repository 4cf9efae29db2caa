'use client';

import { Focus } from 'lucide-react';
import type { MouseEvent } from 'react';
import { Button } from '@/app/_ui/button';
import type { ActionId, Editor } from '@/lib/annotator';
import { focusCanvas } from './focus-canvas';
import { useKeyFor } from './keys';
import { useAssistsThere } from './use-assists-there';
import { useEditor } from './use-editor';

/** What the smart object tool can do now, over the image while the tool is chosen. */
export function AssistBar({ editor, lease }: { editor: Editor; lease: string }) {
  const isChosen = useEditor(editor, ({ tool }) => tool === 'smart-object');
  const stage = useEditor(editor, ({ toolState }) => toolState.name);
  const there = useAssistsThere(lease, isChosen);
  const keyFor = useKeyFor();
  if (!isChosen || !there) return null;
  const act = (action: ActionId) => (event: MouseEvent) => {
    editor.dispatch({ type: 'action', action, time: event.timeStamp });
    if (event.detail > 0) focusCanvas();
  };
  const text = there.notice ?? (stage === 'waiting' ? 'Looking for the object …' : undefined);
  return (
    <div className="absolute top-3 left-1/2 z-10 flex max-w-[calc(100%-1.5rem)] -translate-x-1/2 items-center gap-2 rounded-md border border-line bg-surface px-2 py-1.5 text-sm shadow-sm">
      {text && <span className="min-w-0 px-1 text-ink-2">{text}</span>}
      {there.prompts.includes('main-object') && stage !== 'waiting' && (
        <Button size="small" icon={<Focus aria-hidden />} onClick={act('main-object')}>
          Main object <kbd className="font-sans text-2xs text-ink-3">{keyFor('main-object')}</kbd>
        </Button>
      )}
      {stage === 'reviewing' && (
        <>
          <Button size="small" onClick={act('cancel')}>
            Reject <kbd className="font-sans text-2xs text-ink-3">{keyFor('cancel')}</kbd>
          </Button>
          <Button size="small" variant="primary" onClick={act('confirm')}>
            Accept <kbd className="font-sans text-2xs">{keyFor('confirm')}</kbd>
          </Button>
        </>
      )}
    </div>
  );
}
