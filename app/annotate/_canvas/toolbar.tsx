'use client';

import { type LucideIcon, Redo2, Undo2 } from 'lucide-react';
import type { MouseEvent } from 'react';
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
} from '@/lib/annotator';
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
}

/** Every tool with its key. Buttons do what the keys do, by the same action. */
export function Toolbar({ editor, disabled, hidden }: ToolbarProps) {
  const shown = tools.filter(({ id }) => !hidden?.has(id));
  const current = useEditor(editor, (state) => state.tool);
  const canUndo = useEditor(editor, (state) => !isIdle(state) || undoDepth(state.history) > 0);
  const canRedo = useEditor(
    editor,
    (state) => !isIdle(state) || redoDepth(state.history) > 0 || state.abandoned?.tool === state.tool,
  );
  const act = (action: ActionId) => (event: MouseEvent) => {
    editor.dispatch({ type: 'action', action, time: event.timeStamp });
    // Who clicks goes on drawing; who tabs stays among the buttons.
    if (event.detail > 0) focusCanvas();
  };
  return (
    <div
      role="toolbar"
      aria-label="Tools"
      aria-orientation="vertical"
      className="flex w-14 shrink-0 flex-col items-center gap-0.5 overflow-y-auto border-r border-line bg-surface py-1.5"
    >
      <ToolButton
        icon={Undo2}
        label="Undo"
        action="undo"
        disabled={disabled || !canUndo}
        onClick={act('undo')}
      />
      <ToolButton
        icon={Redo2}
        label="Redo"
        action="redo"
        disabled={disabled || !canRedo}
        onClick={act('redo')}
      />
      <hr className="my-1 w-8 border-t border-line" />
      {shown.map(({ id, name, draws }) => (
        <ToolButton
          key={id}
          icon={toolIcons[id]}
          label={name}
          action={`tool-${id}`}
          isFirst={FIRST_OF_GROUP.has(id)}
          isPressed={current === id}
          disabled={disabled && draws}
          onClick={act(`tool-${id}`)}
        />
      ))}
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
  onClick: (event: MouseEvent) => void;
}

function ToolButton({ icon: Icon, label, action, isFirst, isPressed, disabled, onClick }: ToolButtonProps) {
  const key = useKeyFor()(action);
  const letter = key.length === 1 ? key : undefined;
  return (
    <Tooltip text={label} shortcut={key} side="right">
      <button
        type="button"
        aria-label={label}
        aria-pressed={isPressed}
        aria-keyshortcuts={letter}
        disabled={disabled}
        onClick={onClick}
        className={cn(
          // All of them fit on a laptop's screen without scrolling.
          'flex h-8 w-11 shrink-0 items-center justify-between rounded-md px-1.5 text-ink-2 disabled:opacity-40 [@media(max-height:780px)]:h-6.5',
          'enabled:hover:bg-hover enabled:hover:text-ink',
          isPressed && 'bg-accent-soft text-accent enabled:hover:bg-accent-soft enabled:hover:text-accent',
          isFirst && 'mt-2 [@media(max-height:780px)]:mt-1',
        )}
      >
        <Icon aria-hidden className="size-4.5" />
        <span aria-hidden className="text-2xs">
          {letter}
        </span>
      </button>
    </Tooltip>
  );
}
