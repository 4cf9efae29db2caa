'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { ButtonLink } from '@/app/_ui/button';
import { ErrorState } from '@/app/_ui/error-state';
import { toast } from '@/app/_ui/toasts';
import { exceptSubmit, useKeyQueue } from '@/app/_ui/use-key-queue';
import {
  type BatchState,
  itemStatus,
  type KeyChoices,
  openLeases,
  type WorkspaceSettings,
} from '@/lib/core/editor';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { useAnnounce } from '../_canvas/announcer';
import { KeysProvider } from '../_canvas/keys';
import { postAnswer, type WorkBatch, type WorkItem } from './api';
import { AttributeItem } from './attribute-item';
import type { BatchSession } from './batch-session';
import { ClassItem } from './class-item';
import { DrawingItem } from './drawing-item';
import { ImageCache } from './image-cache';
import type { ItemProps } from './item-props';
import { LoadingWork } from './loading-work';
import { PracticeFeedback } from './practice-feedback';
import type { BatchGuide } from './short-guide';
import { SubmitDialog } from './submit-dialog';
import { useBrowserEvents } from './use-browser-events';
import { useHeartbeat } from './use-heartbeat';
import { useMedia } from './use-media';
import type { Ownership } from './use-ownership';
import { useSheets } from './use-sheets';
import { imagesOf, nextOpen, openItems, pictureOf, type WorkImage } from './work-image';
import { useExplainProblem } from './work-text';
import { WorkspaceMessages } from './workspace-messages';
import { useRememberedSettings } from './workspace-settings';

const itemOf: Readonly<Record<WorkBatch['stage']['kind'], (props: ItemProps) => ReactNode>> = {
  attributes: AttributeItem,
  'object-mask': DrawingItem,
  'part-mask': DrawingItem,
  oracle: ClassItem,
};

/** Images loaded and decoded ahead. */
const AHEAD = 2;

interface OpenBatchProps {
  session: BatchSession;
  isReloading: boolean;
  ownership: Ownership;
  userId: string;
  guide: BatchGuide;
  keys: KeyChoices;
  settings: WorkspaceSettings;
  hasSmartTools: boolean;
  onReload: () => Promise<void>;
}

/** The workspace: all items of a batch, any of which can be opened and changed until the batch is submitted. */
export function OpenBatch(props: OpenBatchProps) {
  const { session, isReloading, ownership, userId, guide, keys, onReload } = props;
  const t = useTranslations('work');
  const explain = useExplainProblem();
  const announce = useAnnounce();
  const { batch, driver } = session;
  const { items } = batch;
  const work = useSyncExternalStore(
    (listener) => driver.subscribe(listener),
    () => driver.state,
    () => driver.state,
  );
  const groups = useMemo(() => imagesOf(batch), [batch]);
  const [opened, setOpened] = useState(() => firstLease(groups, items, work));
  const [practised, setPractised] = useState<WorkItem>();
  const [isChecking, setChecking] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const pictures = useMemo(() => new ImageCache(), []);
  const settings = useRememberedSettings(props.settings);
  const sheets = useSheets();
  const { term } = ownership;
  // This tab's copy may be old when it takes over from another one: it is loaded again first.
  const [freshTerm, setFreshTerm] = useState(0);
  const isCurrent = term <= freshTerm && !isReloading;
  const isOwner = ownership.mayEdit && isCurrent;
  useKeyQueue(ownership.isDeciding || !isCurrent, exceptSubmit);
  const { ended, check } = useHeartbeat(batch.id, isOwner);
  const isOver = batch.state !== 'leased';
  const isTooSmall = !useMedia(`(width >= ${batch.minScreenWidth}px)`);

  useEffect(() => {
    if (term > freshTerm) void onReload().then(() => setFreshTerm(term));
  }, [term, freshTerm, onReload]);
  useEffect(() => {
    session.onClosed = check;
    if (isOwner && !isOver) driver.start();
  }, [session, driver, isOwner, isOver, check]);
  useBrowserEvents(driver, isOwner);
  useLeaving(session, isOver || work.submission.kind === 'accepted');
  useEffect(() => () => pictures.dispose(), [pictures]);
  const item = items.find(({ leaseId }) => leaseId === opened) ?? items[0];
  const place = groups.findIndex((group) => item && group.items.includes(item));
  const index = item ? items.indexOf(item) : 0;
  useEffect(() => {
    // With its own state the address changes without the router drawing the page anew.
    window.history.replaceState(window.history.state, '', `?item=${index + 1}`);
  }, [index]);
  useEffect(() => {
    for (const next of groups.slice(place, place + 1 + AHEAD))
      pictures.load(next.key, pictureOf(driver.state, next).image.working.url).catch(() => undefined);
  }, [place, groups, driver, pictures]);
  // Practice is answered item by item: with the last answer it is over.
  const isAllClosed = Object.values(work.items).every(({ lease }) => lease !== 'open');
  useEffect(() => {
    if (isAllClosed && isOwner && !practised) driver.submit();
  }, [isAllClosed, isOwner, practised, driver]);
  useEffect(() => {
    const conflict = items.find(({ leaseId }) => work.items[leaseId]?.outbox.condition.kind === 'conflict');
    if (work.submission.kind === 'wanted' && conflict) setOpened(conflict.leaseId);
  }, [work, items]);

  const image = groups[place];
  if (!item || !image) return null;
  const { leaseId } = item;
  const announceDone = () => announce?.(t('nowDone', { count: openLeases(driver.state).length }));
  const openItem = ({ leaseId }: WorkItem) => setOpened(leaseId);
  const openNextItem = () => openItem(nextOpen(groups, driver.state, item) ?? item);
  const openImage = (next: WorkImage | undefined) => {
    const [target] = next ? [...openItems(driver.state, next), ...next.items] : [];
    if (target) openItem(target);
  };

  const onDone = async (value: AnswerValue) => {
    if (batch.kind !== 'practice') {
      session.setDone(leaseId, true);
      announceDone();
      return openNextItem();
    }
    setChecking(true);
    try {
      const activity = session.activities.of(leaseId);
      await postAnswer(leaseId, { id: activity.answerId, value, ...activity.evidence });
      driver.close(leaseId, 'answered');
      await session.forget(leaseId);
      setPractised({ ...item, answer: value });
    } catch (error) {
      toast.error(explain(error));
    } finally {
      setChecking(false);
    }
  };

  const submit = () => (openLeases(driver.state).length > 0 ? setAsking(true) : driver.submit());

  if (practised) {
    const onNext = () => {
      setPractised(undefined);
      openNextItem();
    };
    return <PracticeFeedback batch={batch} item={practised} onNext={onNext} />;
  }
  if (isOver || work.submission.kind === 'accepted') return <LoadingWork isLeaving />;
  if (isTooSmall) return <SmallScreen width={batch.minScreenWidth} />;
  // What is on the screen can be worked on, unless another tab does: before that is known, input would have no effect.
  if (!ownership.isKnown) return <LoadingWork />;
  const Item = itemOf[batch.stage.kind];
  return (
    <KeysProvider stored={keys}>
      <Item
        // Remounted with every session: an editor must not write to one that was replaced.
        key={`${image.key}/${session.id}`}
        session={session}
        batch={batch}
        work={work}
        item={item}
        images={groups}
        image={image}
        status={itemStatus(work, leaseId)}
        userId={userId}
        guide={guide}
        pictures={pictures}
        settings={settings}
        hasSmartTools={props.hasSmartTools}
        sheets={sheets}
        canEdit={isOwner && ended === undefined && work.submission.kind === 'none'}
        isChecking={isChecking}
        onDone={onDone}
        onReopen={() => session.setDone(leaseId, false)}
        onImageDone={(done) => {
          for (const each of done) session.setDone(each.leaseId, true);
          announceDone();
          openNextItem();
        }}
        onReleased={(released) => {
          for (const each of released) driver.close(each.leaseId, 'released');
          openNextItem();
        }}
        onSubmit={submit}
        onGo={(step) => openImage(groups[place + step])}
        onOpen={openItem}
        onReload={onReload}
        messages={
          <WorkspaceMessages
            work={work}
            ended={ended}
            isReader={ownership.isReader}
            isPractice={batch.kind === 'practice'}
            onTakeOver={ownership.takeOver}
            onLeave={() => driver.submit()}
            onCancel={() => driver.cancelSubmit()}
          />
        }
      />
      <SubmitDialog
        open={isAsking}
        work={work}
        kind={batch.kind}
        onOpenChange={setAsking}
        onSubmit={() => driver.submit()}
        onReview={openNextItem}
      />
    </KeysProvider>
  );
}

/** In place of work that needs a larger screen. Turning a tablet can be enough. */
function SmallScreen({ width }: { width: number }) {
  const t = useTranslations('work.smallScreen');
  return (
    <main className="mx-auto max-w-2xl">
      <ErrorState
        title={t('title')}
        action={
          <ButtonLink href="/annotate" variant="primary" size="large">
            {t('myWork')}
          </ButtonLink>
        }
      >
        {t('text', { width })}
      </ErrorState>
    </main>
  );
}

/** Sends what the server does not have yet as late answers, then shows what the batch brought. */
function useLeaving(session: BatchSession, isLeaving: boolean): void {
  const t = useTranslations('work');
  const router = useRouter();
  useEffect(() => {
    if (!isLeaving) return;
    void session.leave().then((problem) => {
      if (problem) toast.error(t('notStoredLate', { reason: problem }));
      router.replace(`/annotate/batch/${session.batch.id}/done`);
    });
  }, [session, isLeaving, router, t]);
}

/** Where the address says, else the first item that is not done. */
function firstLease(images: readonly WorkImage[], items: readonly WorkItem[], work: BatchState): string {
  const asked = items[Number(new URLSearchParams(window.location.search).get('item')) - 1];
  const [first] = images.flatMap((image) => openItems(work, image));
  return (asked ?? first ?? items[0])?.leaseId ?? '';
}
