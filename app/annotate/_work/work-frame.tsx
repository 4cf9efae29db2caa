'use client';

import { ArrowLeft, ChevronLeft, ChevronRight, Keyboard, Maximize } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { IconButton } from '@/app/_ui/icon-button';
import { useKeyFor } from '../_canvas/keys';
import type { ItemActivity } from './batch-activity';
import { Filmstrip } from './filmstrip';
import type { ItemProps } from './item-props';
import { ReportButtons } from './report-buttons';
import { StoredState } from './stored-state';
import { TimeSpent } from './time-spent';
import { toggleFullScreen } from './toggle-full-screen';

interface WorkFrameProps {
  item: ItemProps;
  /** The one sentence that says what to do. */
  title: ReactNode;
  /** Beside the title: what ends the item. */
  actions: ReactNode;
  /** Over the work, next to the messages of the workspace. */
  messages?: ReactNode;
  /** In the footer: measurements and hints. */
  details?: ReactNode;
  children: ReactNode;
}

/** Header with the task, the work in the middle, the filmstrip, and a footer with progress, storage state and time. */
export function WorkFrame(props: WorkFrameProps) {
  const { item, title, actions, messages, details, children } = props;
  const keyFor = useKeyFor();
  const { batch, work, index, sheets, session, onGo, onOpen } = item;
  const activity = session.activities.of(item.item.leaseId);
  return (
    <main className="flex h-dvh flex-col text-sm">
      <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line bg-surface px-2">
        <Link
          href="/annotate"
          aria-label="My work"
          className="flex size-8 shrink-0 items-center justify-center rounded-md hover:bg-hover"
        >
          <ArrowLeft aria-hidden className="size-4" />
        </Link>
        <h1 className="min-w-0 flex-1 truncate text-base font-medium">{title}</h1>
        {actions}
      </header>
      <div className="relative flex min-h-0 flex-1">
        {children}
        {/* Over the work, so that nothing moves under the pointer. */}
        <div className="pointer-events-none absolute inset-x-14 bottom-3 z-20 flex flex-col items-center gap-2">
          {messages}
          {item.messages}
        </div>
      </div>
      <TextForPrograms text={item.item.forPrograms} activity={activity} />
      <Filmstrip items={batch.items} work={work} index={index} onOpen={onOpen} />
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
          <span className="whitespace-nowrap tabular-nums">
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
        <StoredState work={work} />
        {details ?? <span className="flex-1" />}
        <TimeSpent timer={activity.timer} />
        <div className="flex items-center">
          <ReportButtons
            lease={item.item.leaseId}
            disabled={!item.canEdit}
            isCommenting={sheets.shown === 'comment'}
            onCommenting={(open) => sheets.show(open ? 'comment' : undefined)}
            onReleased={item.onReleased}
          />
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
function TextForPrograms({ text, activity }: { text: string; activity: ItemActivity }) {
  return (
    <div hidden aria-hidden="true" inert data-nosnippet>
      <p>{text}</p>
      <input
        ref={(field) => {
          activity.programField = field;
          return () => {
            activity.readField();
            activity.programField = null;
          };
        }}
        name="program-code"
        type="text"
        tabIndex={-1}
        autoComplete="off"
      />
    </div>
  );
}
