'use client';

import { CircleSlash } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Button } from '@/app/_ui/button';
import { cn } from '@/app/_ui/cn';
import { Tooltip } from '@/app/_ui/tooltip';
import { type Editor, layerOf } from '@/lib/core/editor';
import { focusCanvas } from '../_canvas/focus-canvas';
import { useKeyFor } from '../_canvas/keys';
import { useEditor } from '../_canvas/use-editor';
import { DoneActions } from './done-actions';
import type { ItemProps } from './item-props';

interface DrawingActionsProps {
  props: ItemProps;
  editor: Editor;
  disabled: boolean;
  onDone: () => void;
  /** Only where several targets are asked for. */
  onImageDone?: () => void;
}

/** What ends an item: say that there is nothing, or mark the drawing as done. */
export function DrawingActions({ props, editor, disabled, onDone, onImageDone }: DrawingActionsProps) {
  const t = useTranslations('work.actions');
  const keyFor = useKeyFor();
  const isNothing = useEditor(editor, ({ document, label }) => layerOf(document, label)?.nothing ?? false);
  return (
    <>
      {props.status !== 'answered' && props.status !== 'released' && (
        <Tooltip text={t('nothingTip')} shortcut={keyFor('nothing')}>
          <Button
            aria-pressed={isNothing}
            disabled={disabled}
            icon={<CircleSlash aria-hidden />}
            className={cn('max-wide:h-11', isNothing && 'border-accent bg-accent-soft text-accent')}
            onClick={(event) => {
              editor.dispatch({ type: 'action', action: 'nothing', time: event.timeStamp });
              if (event.detail > 0) focusCanvas();
            }}
          >
            <span className="max-sm:sr-only">{t('nothing')}</span>
            <span aria-hidden className="sm:hidden">
              {t('nothingShort')}
            </span>
          </Button>
        </Tooltip>
      )}
      <DoneActions props={props} onDone={onDone} onImageDone={onImageDone} />
    </>
  );
}
