'use client';

import { ArrowLeft, ChevronLeft, ChevronRight, Keyboard, Maximize } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Button } from '@/app/_ui/button';
import { IconButton } from '@/app/_ui/icon-button';
import type { OutboxState } from '@/lib/annotator';
import { useKeyFor } from '../_canvas/keys';
import type { ItemProps } from './item-props';
import { ReportButtons } from './report-buttons';
import { StopEarly } from './stop-early';
import { StoredState } from './stored-state';
import { TimeSpent } from './time-spent';
import { toggleFullScreen } from './toggle-full-screen';
import type { Activity } from './use-activity';
import type { Sheets } from './use-sheets';

interface WorkFrameProps {
  item: ItemProps;
  /** The one sentence that says what to do. */
  title: ReactNode;
  /** Beside the title: what ends the item. */
  actions: ReactNode;
  /** Above the work: what must be known before going on. */
  notices: ReactNode;
  /** In the footer: what the work itself has to tell. */
  told?: ReactNode;
  outbox: OutboxState | undefined;
  activity: Activity;
  sheets: Sheets;
  children: ReactNode;
}

/** Header with the task, the work in the middle, footer with progress, what is stored, and time. */
export function WorkFrame(props: WorkFrameProps) {
  const { item, title, actions, notices, told, outbox, activity, sheets, children } = props;
  const keyFor = useKeyFor();
  const { batch, index, isReader, onTakeOver, onGo, ended } = item;
  return (
    <main className="flex h-dvh flex-col text-sm">
      <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line bg-surface px-2">
        <Link
          href="/annotate"
          aria-label="My work"
          className="flex size-8 items-center justify-center rounded-md hover:bg-hover"
        >
          <ArrowLeft aria-hidden className="size-4" />
        </Link>
        <h1 className="min-w-0 flex-1 truncate text-base font-medium">{title}</h1>
        {actions}
      </header>
      {isReader && (
        <Notice action={<Button onClick={onTakeOver}>Take over</Button>}>
          This batch is open in another tab. Here it is read-only.
        </Notice>
      )}
      {ended && <Notice>{ended}</Notice>}
      {notices}
      <div className="relative flex min-h-0 flex-1">{children}</div>
      <TextForPrograms text={item.item.forPrograms} activity={activity} />
      <footer className="flex h-9 shrink-0 items-center gap-4 border-t border-line bg-surface px-2 text-xs text-ink-2">
        <nav aria-label="Items of the batch" className="flex items-center gap-1">
          <IconButton
            label="Previous item"
            shortcut={keyFor('previous-item')}
            side="top"
            disabled={index === 0}
            onClick={() => onGo(-1)}
          >
            <ChevronLeft aria-hidden />
          </IconButton>
          <span className="tabular-nums">
            Item {index + 1} of {batch.items.length}
          </span>
          <IconButton
            label="Next item"
            shortcut={keyFor('next-item')}
            side="top"
            disabled={index === batch.items.length - 1}
            onClick={() => onGo(1)}
          >
            <ChevronRight aria-hidden />
          </IconButton>
        </nav>
        <StoredState outbox={outbox} />
        {told ?? <span className="flex-1" />}
        <TimeSpent timer={activity.timer} />
        <div className="flex items-center">
          <ReportButtons
            lease={item.item.leaseId}
            disabled={!item.mayEdit}
            isCommenting={sheets.shown === 'comment'}
            onCommenting={(open) => sheets.show(open ? 'comment' : undefined)}
            onReleased={item.onReleased}
          />
          <StopEarly batchId={batch.id} disabled={!item.mayEdit} />
          <IconButton
            label="Keyboard shortcuts"
            shortcut={keyFor('shortcuts')}
            side="top"
            onClick={() => sheets.show('shortcuts')}
          >
            <Keyboard aria-hidden />
          </IconButton>
          <IconButton
            label="Full screen"
            shortcut={keyFor('full-screen')}
            side="top"
            onClick={toggleFullScreen}
          >
            <Maximize aria-hidden />
          </IconButton>
        </div>
      </footer>
    </main>
  );
}

/**
 * A note that only programs reading the source can find: `hidden` and `inert` keep it off the screen, out of the
 * accessibility tree, the tab order and text selection, also in forced colours and without our style sheets.
 */
function TextForPrograms({ text, activity }: { text: string; activity: Activity }) {
  return (
    <div hidden aria-hidden="true" inert data-nosnippet>
      <p>{text}</p>
      <input ref={activity.programField} name="program-code" type="text" tabIndex={-1} autoComplete="off" />
    </div>
  );
}

/** One line above the work. */
export function Notice({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div
      role="alert"
      className="flex min-h-10 shrink-0 items-center gap-4 border-b border-line bg-warn-soft px-4 py-1 text-warn"
    >
      <p className="flex-1">{children}</p>
      {action}
    </div>
  );
}
