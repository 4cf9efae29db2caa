'use client';

import { CircleSlash } from 'lucide-react';
import { Button } from '@/app/_ui/button';
import { State } from '@/app/_ui/state';
import { Tooltip } from '@/app/_ui/tooltip';
import { type Editor, layerOf } from '@/lib/annotator';
import { focusCanvas } from '../_canvas/focus-canvas';
import { useKeyFor } from '../_canvas/keys';
import { useEditor } from '../_canvas/use-editor';
import type { WorkItem } from './api';

interface DrawingActionsProps {
  editor: Editor;
  state: WorkItem['state'];
  disabled: boolean;
  isPending: boolean;
  onSubmit: () => void;
}

/** The two ways to end an item: say that there is nothing, or submit what is drawn. */
export function DrawingActions({ editor, state, disabled, isPending, onSubmit }: DrawingActionsProps) {
  const keyFor = useKeyFor();
  const isNothing = useEditor(editor, ({ document, label }) => layerOf(document, label)?.nothing ?? false);
  if (state !== 'open')
    return <State state={state} tone={state === 'answered' ? 'good' : 'neutral'} className="px-2" />;
  return (
    <>
      <Tooltip text="There is none in this picture" shortcut={keyFor('nothing')}>
        <Button
          aria-pressed={isNothing}
          disabled={disabled}
          icon={<CircleSlash aria-hidden />}
          className={isNothing ? 'border-accent bg-accent-soft text-accent' : undefined}
          onClick={(event) => {
            editor.dispatch({ type: 'action', action: 'nothing', time: event.timeStamp });
            if (event.detail > 0) focusCanvas();
          }}
        >
          Nothing to label
        </Button>
      </Tooltip>
      <Tooltip text="Submit and go to the next item" shortcut={keyFor('submit')}>
        <Button variant="primary" disabled={disabled} pending={isPending} onClick={onSubmit}>
          Submit
        </Button>
      </Tooltip>
    </>
  );
}
