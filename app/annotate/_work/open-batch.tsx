'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { toast } from '@/app/_ui/toasts';
import {
  type BatchState,
  itemStatus,
  type KeyChoices,
  openLeases,
  type WorkspaceSettings,
} from '@/lib/annotator';
import type { AnswerValue } from '@/lib/quality/answer';
import { KeysProvider } from '../_canvas/keys';
import { postAnswer, Refused, type WorkBatch, type WorkItem } from './api';
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
import { useOwnership } from './use-ownership';
import { useSheets } from './use-sheets';
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
  userId: string;
  guide: BatchGuide;
  keys: KeyChoices;
  settings: WorkspaceSettings;
  hasSmartTools: boolean;
  onReload: () => Promise<void>;
}

/** The workspace: all items of a batch, any of which can be opened and changed until the batch is submitted. */
export function OpenBatch(props: OpenBatchProps) {
  const { session, isReloading, userId, guide, keys, onReload } = props;
  const { batch, driver } = session;
  const { items } = batch;
  const work = useSyncExternalStore(
    (listener) => driver.subscribe(listener),
    () => driver.state,
    () => driver.state,
  );
  const [index, setIndex] = useState(() => firstPlace(items, work));
  const [practised, setPractised] = useState<WorkItem>();
  const [isChecking, setChecking] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const images = useMemo(() => new ImageCache(), []);
  const settings = useRememberedSettings(props.settings);
  const sheets = useSheets();
  const ownership = useOwnership(`tessera-batch/${userId}/${batch.id}`, () => session.settle());
  const { term } = ownership;
  // This tab's copy may be old when it takes over from another one: it is loaded again first.
  const [freshTerm, setFreshTerm] = useState(0);
  const isOwner = ownership.mayEdit && term <= freshTerm && !isReloading;
  const { ended, check } = useHeartbeat(batch.id, isOwner);
  const isOver = batch.state !== 'leased';

  useEffect(() => {
    if (term > freshTerm) void onReload().then(() => setFreshTerm(term));
  }, [term, freshTerm, onReload]);
  useEffect(() => {
    session.onClosed = check;
    if (isOwner && !isOver) driver.start();
  }, [session, driver, isOwner, isOver, check]);
  useBrowserEvents(driver, isOwner);
  useLeaving(session, isOver || work.submission.kind === 'accepted');
  useEffect(() => () => images.dispose(), [images]);
  useEffect(() => {
    // With its own state the address changes without the router drawing the page anew.
    window.history.replaceState(window.history.state, '', `?item=${index + 1}`);
    for (const next of items.slice(index, index + 1 + AHEAD))
      images.load(next.leaseId, next.image.working.url).catch(() => undefined);
  }, [index, items, images]);
  // Practice is answered item by item: with the last answer it is over.
  const isAllClosed = Object.values(work.items).every(({ lease }) => lease !== 'open');
  useEffect(() => {
    if (isAllClosed && isOwner && !practised) driver.submit();
  }, [isAllClosed, isOwner, practised, driver]);
  useEffect(() => {
    const conflict = items.findIndex(
      ({ leaseId }) => work.items[leaseId]?.outbox.condition.kind === 'conflict',
    );
    if (work.submission.kind === 'wanted' && conflict >= 0) setIndex(conflict);
  }, [work, items]);

  const item = items[index];
  if (!item) return null;
  const { leaseId } = item;
  const openNextItem = () => setIndex(nextOpen(items, driver.state, index) ?? index);

  const onDone = async (value: AnswerValue) => {
    if (batch.kind !== 'practice') {
      session.setDone(leaseId, true);
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
      toast.error(error instanceof Refused ? error.message : 'The server does not answer. Try again.');
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
  if (isOver || work.submission.kind === 'accepted') return <LoadingWork />;
  const Item = itemOf[batch.stage.kind];
  return (
    <KeysProvider stored={keys}>
      <Item
        // Remounted with every session: an editor must not write to one that was replaced.
        key={`${leaseId}/${session.id}`}
        session={session}
        batch={batch}
        work={work}
        item={item}
        index={index}
        status={itemStatus(work, leaseId)}
        userId={userId}
        guide={guide}
        images={images}
        settings={settings}
        hasSmartTools={props.hasSmartTools}
        sheets={sheets}
        canEdit={isOwner && ended === undefined && work.submission.kind === 'none'}
        isChecking={isChecking}
        onDone={onDone}
        onReopen={() => session.setDone(leaseId, false)}
        onReleased={() => {
          driver.close(leaseId, 'released');
          openNextItem();
        }}
        onSubmit={submit}
        onGo={(step) => setIndex((at) => Math.min(items.length - 1, Math.max(0, at + step)))}
        onOpen={setIndex}
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

/** Sends what the server does not have yet as late answers, then shows what the batch brought. */
function useLeaving(session: BatchSession, isLeaving: boolean): void {
  const router = useRouter();
  useEffect(() => {
    if (!isLeaving) return;
    void session.leave().then((problem) => {
      if (problem)
        toast.error(`Some items arrived after the batch had ended and were not stored. ${problem}`);
      router.replace(`/annotate/batch/${session.batch.id}/done`);
    });
  }, [session, isLeaving, router]);
}

/** Where the address says, else the first item that is not done. */
function firstPlace(items: readonly WorkItem[], work: BatchState): number {
  const asked = Number(new URLSearchParams(window.location.search).get('item')) - 1;
  if (items[asked]) return asked;
  return nextOpen(items, work, -1) ?? 0;
}

/** The next item that is not done, going round: what was passed over comes again at the end. */
function nextOpen(items: readonly WorkItem[], work: BatchState, from: number): number | undefined {
  const open = new Set(openLeases(work));
  for (let step = 1; step <= items.length; step++) {
    const place = (from + step) % items.length;
    if (place !== from && open.has(items[place]?.leaseId ?? '')) return place;
  }
  return undefined;
}
