'use client';

import { Check, type LucideIcon, Redo2, Undo2, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Direction } from 'radix-ui';
import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react';
import { cn } from '@/app/_ui/cn';
import { Tooltip } from '@/app/_ui/tooltip';
import {
  type ActionId,
  type Editor,
  isIdle,
  redoDepth,
  type ToolId,
  tools,
  undoDepth,
} from '@/lib/core/editor';
import { focusCanvas } from './focus-canvas';
import { useKeyFor } from './keys';
import { toolIcons } from './tool-icons';
import { useEditor } from './use-editor';

/** Where a line parts the tools: what draws, what corrects, what helps, what only looks. */
const FIRST_OF_GROUP: ReadonlySet<ToolId> = new Set(['polygon', 'vertex', 'smart-outline', 'pan']);

interface ToolbarProps {
  editor: Editor;
  disabled: boolean;
  /** Tools that are not available here. */
  hidden?: ReadonlySet<ToolId>;
  /** One row of large buttons that scrolls sideways, for fingers. */
  isHorizontal?: boolean;
}

/**
 * Every tool with its key. Buttons do what the keys do, by the same action. The bar is one stop of the Tab key; arrow
 * keys, Home and End move within it.
 */
export function Toolbar({ editor, disabled, hidden, isHorizontal = false }: ToolbarProps) {
  const t = useTranslations('canvas');
  const shown = tools.filter(({ id }) => !hidden?.has(id));
  const current = useEditor(editor, (state) => state.tool);
  const isDrawing = useEditor(editor, (state) => !isIdle(state));
  const canUndo = useEditor(editor, (state) => !isIdle(state) || undoDepth(state.history) > 0);
  const canRedo = useEditor(
    editor,
    (state) => !isIdle(state) || redoDepth(state.history) > 0 || state.abandoned?.tool === state.tool,
  );
  const direction = Direction.useDirection();
  const bar = useRef<HTMLDivElement>(null);
  const [stop, setStop] = useState<ActionId>();
  const act = (action: ActionId) => (event: MouseEvent) => {
    editor.dispatch({ type: 'action', action, time: event.timeStamp });
    setStop(action);
    // A person who clicks goes on drawing; a person who tabs stays in the bar.
    if (event.detail > 0) focusCanvas();
  };
  const buttons: Omit<ToolButtonProps, 'isStop' | 'isLarge' | 'onClick'>[] = [
    { icon: Undo2, label: t('shortcuts.undo'), action: 'undo', disabled: disabled || !canUndo },
    { icon: Redo2, label: t('shortcuts.redo'), action: 'redo', disabled: disabled || !canRedo },
    // A finger has no Enter and no Escape.
    ...(isHorizontal && isDrawing
      ? ([
          { icon: Check, label: t('finish'), action: 'confirm', isFirst: true },
          { icon: X, label: t('cancel'), action: 'cancel' },
        ] as const)
      : []),
    ...shown.map(({ id, draws }) => ({
      icon: toolIcons[id],
      label: t(`tools.${id}.name`),
      action: `tool-${id}` as const,
      isFirst: FIRST_OF_GROUP.has(id) || id === 'select',
      isPressed: current === id,
      disabled: disabled && draws,
    })),
  ];
  const enabled = buttons.filter((button) => !button.disabled).map(({ action }) => action);
  const stopAt = [stop, `tool-${current}` as const].find((id) => id && enabled.includes(id)) ?? enabled[0];
  const move = (event: KeyboardEvent) => {
    const at = enabled.indexOf(stopAt as ActionId);
    const sideways = direction === 'rtl' ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight'];
    const [back, forward] = (isHorizontal ? sideways : ['ArrowUp', 'ArrowDown']) as [string, string];
    const places: Record<string, number> = {
      [back]: (at - 1 + enabled.length) % enabled.length,
      [forward]: (at + 1) % enabled.length,
      Home: 0,
      End: enabled.length - 1,
    };
    const next = enabled[places[event.key] ?? -1];
    if (!next) return;
    event.preventDefault();
    setStop(next);
    bar.current?.querySelector<HTMLElement>(`[data-action="${next}"]`)?.focus();
  };
  const button = (props: (typeof buttons)[number]) => (
    <ToolButton
      key={props.action}
      {...props}
      isStop={props.action === stopAt}
      isLarge={isHorizontal}
      onClick={act(props.action)}
    />
  );
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={t('toolbar')}
      aria-orientation={isHorizontal ? 'horizontal' : 'vertical'}
      onKeyDown={move}
      className={cn(
        'flex shrink-0 items-center gap-0.5 border-line bg-surface',
        isHorizontal ? 'overflow-x-auto border-t px-1 py-1' : 'w-14 flex-col overflow-y-auto border-e py-1.5',
      )}
    >
      {/* They stay in sight while the tools scroll. */}
      <div className={cn('contents', isHorizontal && 'sticky start-0 z-10 flex bg-surface pe-1')}>
        {buttons.filter(({ action }) => !action.startsWith('tool-')).map(button)}
      </div>
      {buttons.filter(({ action }) => action.startsWith('tool-')).map(button)}
    </div>
  );
}

interface ToolButtonProps {
  icon: LucideIcon;
  label: string;
  action: ActionId;
  isFirst?: boolean;
  isPressed?: boolean;
  disabled?: boolean;
  isStop: boolean;
  isLarge: boolean;
  onClick: (event: MouseEvent) => void;
}

function ToolButton(props: ToolButtonProps) {
  const { icon: Icon, label, action, isFirst, isPressed, disabled, isStop, isLarge, onClick } = props;
  const direction = Direction.useDirection();
  const key = useKeyFor()(action);
  const letter = key.length === 1 ? key : undefined;
  return (
    <Tooltip text={label} shortcut={key} side={isLarge ? 'top' : direction === 'rtl' ? 'left' : 'right'}>
      <button
        type="button"
        data-action={action}
        aria-label={label}
        aria-pressed={isPressed}
        aria-keyshortcuts={letter}
        tabIndex={isStop ? 0 : -1}
        disabled={disabled}
        onClick={onClick}
        className={cn(
          'flex shrink-0 items-center rounded-md text-ink-2 disabled:opacity-40',
          isLarge
            ? 'size-11 justify-center'
            : // All of them fit on a laptop's screen without scrolling.
              'h-8 w-11 justify-between px-1.5 [@media(max-height:780px)]:h-6.5',
          'enabled:hover:bg-hover enabled:hover:text-ink',
          isPressed && 'bg-accent-soft text-accent enabled:hover:bg-accent-soft enabled:hover:text-accent',
          isFirst && (isLarge ? 'ms-2' : 'mt-2 [@media(max-height:780px)]:mt-1'),
        )}
      >
        <Icon aria-hidden className={isLarge ? 'size-5.5' : 'size-4.5'} />
        {!isLarge && (
          <span aria-hidden className="text-2xs">
            {letter}
          </span>
        )}
      </button>
    </Tooltip>
  );
}
