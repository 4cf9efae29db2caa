'use client';

import { ArrowLeft, ChevronLeft, ChevronRight, Keyboard, Maximize } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
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
import { useIsNarrow } from './use-media';
import { unclosedItems } from './work-image';

interface WorkFrameProps {
  item: ItemProps;
  /** The one sentence that says what to do. */
  title: ReactNode;
  /** What ends the item: in the header, or under the thumb on a narrow screen. */
  actions: ReactNode;
  /** Further buttons of the header. */
  tools?: ReactNode;
  /** Below the work, above the filmstrip. */
  bottom?: ReactNode;
  /** Over the work, next to the messages of the workspace. */
  messages?: ReactNode;
  /** In the footer: measurements and hints. */
  details?: ReactNode;
  children: ReactNode;
}

/** Header with the task, the work in the middle, the filmstrip, and a footer with progress, storage state and time. */
export function WorkFrame(props: WorkFrameProps) {
  const { item, title, actions, tools, bottom, messages, details, children } = props;
  const t = useTranslations('work');
  const { work, images, image, session, onOpen } = item;
  const { leaseId, forPrograms } = item.item;
  const isNarrow = useIsNarrow();
  const activity = session.activities.of(leaseId);
  return (
    <main className="flex h-dvh flex-col text-sm">
      <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line bg-surface px-2 max-wide:gap-1.5">
        <Link
          href="/annotate"
          aria-label={t('myWork')}
          className="flex size-8 shrink-0 items-center justify-center rounded-md hover:bg-hover max-wide:size-11"
        >
          <ArrowLeft aria-hidden className="size-4 rtl:-scale-x-100" />
        </Link>
        <h1 className="min-w-0 flex-1 text-base font-medium max-wide:line-clamp-2 max-wide:text-sm max-wide:leading-4.5 wide:truncate">
          {title}
        </h1>
        {tools}
        {!isNarrow && actions}
      </header>
      <div className="relative flex min-h-0 flex-1">
        {children}
        {/* Over the work, so that nothing moves under the pointer. */}
        <div className="pointer-events-none absolute inset-x-14 bottom-3 z-20 flex flex-col items-center gap-2 max-wide:inset-x-2">
          {messages}
          {item.messages}
        </div>
      </div>
      <TextForPrograms key={leaseId} text={forPrograms} activity={activity} />
      {bottom}
      <Filmstrip images={images} work={work} current={image} onOpen={onOpen} />
      {isNarrow && (
        <div className="flex min-h-14 shrink-0 flex-wrap items-center justify-end gap-1.5 border-t border-line bg-surface px-2 py-1.5">
          <Steps item={item} />
          <span className="flex-1" />
          {actions}
        </div>
      )}
      <footer className="flex h-9 shrink-0 items-center gap-4 border-t border-line bg-surface px-2 text-xs text-ink-2 max-wide:gap-2">
        {!isNarrow && <Steps item={item} />}
        <StoredState work={work} />
        {details ?? <span className="flex-1" />}
        <TimeSpent timer={activity.timer} />
        <FooterButtons item={item} isNarrow={isNarrow} />
      </footer>
    </main>
  );
}

/** From image to image, in the order of the filmstrip. */
function Steps({ item: { images, image, onGo } }: { item: ItemProps }) {
  const t = useTranslations('work.steps');
  const keyFor = useKeyFor();
  const place = images.indexOf(image);
  const hasTargets = images.some(({ items }) => items.length > 1);
  const at = { number: place + 1, total: images.length };
  return (
    <nav
      aria-label={hasTargets ? t('images') : t('items')}
      className="flex shrink-0 items-center gap-1 max-sm:gap-0"
    >
      <IconButton
        label={hasTargets ? t('previousImage') : t('previousItem')}
        shortcut={keyFor('previous-item')}
        side="top"
        className="max-wide:size-11"
        disabled={place === 0}
        onClick={() => onGo(-1)}
      >
        <ChevronLeft aria-hidden className="rtl:-scale-x-100" />
      </IconButton>
      <span className="whitespace-nowrap tabular-nums">
        <span className="max-sm:sr-only">{hasTargets ? t('image', at) : t('item', at)}</span>
        <span aria-hidden className="sm:hidden">
          {place + 1}/{images.length}
        </span>
      </span>
      <IconButton
        label={hasTargets ? t('nextImage') : t('nextItem')}
        shortcut={keyFor('next-item')}
        side="top"
        className="max-wide:size-11"
        disabled={place === images.length - 1}
        onClick={() => onGo(1)}
      >
        <ChevronRight aria-hidden className="rtl:-scale-x-100" />
      </IconButton>
    </nav>
  );
}

function FooterButtons({ item, isNarrow }: { item: ItemProps; isNarrow: boolean }) {
  const keyFor = useKeyFor();
  const t = useTranslations('canvas');
  const { sheets } = item;
  return (
    <div className="flex shrink-0 items-center max-wide:gap-2">
      <ReportButtons
        lease={item.item.leaseId}
        items={unclosedItems(item.work, item.image)}
        disabled={!item.canEdit}
        isCommenting={sheets.shown === 'comment'}
        onCommenting={(open) => sheets.show(open ? 'comment' : undefined)}
        onReleased={item.onReleased}
      />
      {!isNarrow && (
        <IconButton
          label={t('sheet.title')}
          shortcut={keyFor('shortcuts')}
          side="top"
          onClick={() => sheets.show('shortcuts')}
        >
          <Keyboard aria-hidden />
        </IconButton>
      )}
      <IconButton
        label={t('shortcuts.full-screen')}
        shortcut={keyFor('full-screen')}
        side="top"
        onClick={toggleFullScreen}
      >
        <Maximize aria-hidden />
      </IconButton>
    </div>
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
