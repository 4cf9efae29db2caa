'use client';

import { Check, Circle, CircleDot, CircleSlash, Flag, type LucideIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { cn } from '@/app/_ui/cn';
import { Kbd } from '@/app/_ui/kbd';
import { type BatchState, type Editor, type ItemStatus, itemStatus, layerOf } from '@/lib/core/editor';
import { focusCanvas } from '../_canvas/focus-canvas';
import { useKeyFor } from '../_canvas/keys';
import type { LabelStyle } from '../_canvas/paint/label-style';
import { Swatch } from '../_canvas/panel/swatch';
import { useEditor } from '../_canvas/use-editor';
import type { DrawingTarget } from './drawing-session';

type TargetState = 'open' | 'started' | 'nothing' | 'done' | 'reported';

const icons: Readonly<Record<TargetState, LucideIcon>> = {
  open: Circle,
  started: CircleDot,
  nothing: CircleSlash,
  done: Check,
  reported: Flag,
};

interface TargetListProps {
  editor: Editor;
  work: BatchState;
  targets: readonly DrawingTarget[];
  styleOf: (label: string) => LabelStyle;
  /** A bar is one line that scrolls sideways. */
  isBar?: boolean;
}

/** Everything that is asked about the image, with its state. Choosing one goes on with it. */
export function TargetList({ editor, work, targets, styleOf, isBar }: TargetListProps) {
  const t = useTranslations('work.targets');
  const keyFor = useKeyFor();
  const current = useEditor(editor, ({ label }) => label);
  const document = useEditor(editor, (state) => state.document);
  const list = useRef<HTMLOListElement>(null);
  const place = targets.findIndex(({ label }) => label === current);
  useEffect(() => {
    list.current?.children[place]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [place]);
  return (
    <ol
      ref={list}
      aria-label={t('title')}
      className={cn(isBar ? 'flex gap-1.5 overflow-x-auto px-2 py-1.5' : 'grid gap-0.5')}
    >
      {targets.map(({ item, label }, index) => {
        const isNothing = layerOf(document, label)?.nothing ?? false;
        const state = stateOf(itemStatus(work, item.leaseId), isNothing);
        const Icon = icons[state];
        const key = index < 9 ? keyFor(`label-${(index + 1) as 1}`) : '';
        const name = item.target?.name ?? label;
        return (
          <li key={label} className={cn(isBar && 'shrink-0')}>
            <button
              type="button"
              aria-current={label === current ? 'step' : undefined}
              aria-keyshortcuts={key || undefined}
              data-state={state}
              onClick={(event) => {
                editor.dispatch({ type: 'label', label });
                if (event.detail > 0) focusCanvas();
              }}
              className={cn(
                // Text for screen readers only stays within the list that scrolls.
                'relative flex h-8 items-center gap-2 rounded-md border px-2 text-sm max-wide:h-11',
                isBar ? 'max-w-56' : 'w-full',
                label === current
                  ? 'border-accent bg-accent-soft font-medium text-ink'
                  : 'border-transparent hover:bg-hover',
                isBar && label !== current && 'border-line',
              )}
            >
              <Swatch style={styleOf(label)} />
              <span aria-hidden className="min-w-0 flex-1 truncate text-start">
                <bdi>{name}</bdi>
              </span>
              <span className="sr-only">{t('one', { name, state })}</span>
              {key && (
                <span aria-hidden className="flex pointer-coarse:hidden">
                  <Kbd keys={key} />
                </span>
              )}
              <Icon
                aria-hidden
                className={cn('size-4 shrink-0', state === 'done' ? 'text-accent' : 'text-ink-3')}
              />
            </button>
          </li>
        );
      })}
    </ol>
  );
}

function stateOf(status: ItemStatus, isNothing: boolean): TargetState {
  if (status === 'done' || status === 'answered') return 'done';
  if (status === 'released') return 'reported';
  if (isNothing) return 'nothing';
  return status === 'started' ? 'started' : 'open';
}
