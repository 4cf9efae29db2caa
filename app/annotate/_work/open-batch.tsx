'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { KeyChoices, OutboxDriver } from '@/lib/annotator';
import type { AnswerValue } from '@/lib/quality/answer';
import { KeysProvider } from '../_canvas/keys';
import type { WorkBatch, WorkItem } from './api';
import { AttributeItem } from './attribute-item';
import { ClassItem } from './class-item';
import { DrawingItem } from './drawing-item';
import { FinishBatch } from './finish-batch';
import { ImageCache } from './image-cache';
import type { ItemProps } from './item-props';
import type { LocalStore } from './local-store';
import { PracticeFeedback } from './practice-feedback';
import { settleOutbox } from './settle-outbox';
import type { BatchGuide } from './short-guide';
import { useHeartbeat } from './use-heartbeat';
import { useOwnership } from './use-ownership';

const itemOf: Readonly<Record<WorkBatch['stage']['kind'], (props: ItemProps) => ReactNode>> = {
  attributes: AttributeItem,
  'object-mask': DrawingItem,
  'part-mask': DrawingItem,
  oracle: ClassItem,
};

/** Images loaded ahead. */
const AHEAD = 2;

interface OpenBatchProps {
  batch: WorkBatch;
  store: LocalStore;
  userId: string;
  guide: BatchGuide;
  keys: KeyChoices;
  onReload: () => Promise<void>;
}

/** The items of a batch, one after the other. */
export function OpenBatch({ batch, store, userId, guide, keys, onReload }: OpenBatchProps) {
  const router = useRouter();
  const [items, setItems] = useState(batch.items);
  const [index, setIndex] = useState(() => firstPlace(batch.items));
  const [practised, setPractised] = useState<WorkItem>();
  const images = useMemo(() => new ImageCache(), []);
  const outbox = useRef<OutboxDriver>(undefined);
  const ownership = useOwnership(`tessera-batch/${userId}/${batch.id}`, () => settleOutbox(outbox.current));
  const ended = useHeartbeat(batch.id, ownership.mayEdit);
  const donePath = `/annotate/batch/${batch.id}/done`;

  useEffect(() => setItems(batch.items), [batch.items]);
  useEffect(() => () => images.dispose(), [images]);
  useEffect(() => {
    if (batch.state !== 'leased') router.replace(donePath);
  }, [batch.state, donePath, router]);
  // What this tab holds may be old when it takes over from another one: it is asked for first.
  const [freshTerm, setFreshTerm] = useState(0);
  const { term } = ownership;
  useEffect(() => {
    if (term > freshTerm) void onReload().then(() => setFreshTerm(term));
  }, [term, freshTerm, onReload]);
  useEffect(() => {
    // With its own state the address changes without the router drawing the page anew.
    window.history.replaceState(window.history.state, '', `?item=${index + 1}`);
    for (const next of items.slice(index, index + 1 + AHEAD))
      images.load(next.leaseId, next.image.working.url).catch(() => undefined);
  }, [index, items, images]);

  const settle = (change: Partial<WorkItem>) => {
    const next = items.map((item, i) => (i === index ? { ...item, ...change } : item));
    setItems(next);
    setIndex(nextOpen(next, index) ?? index);
  };

  const answered = (answer: AnswerValue, isOver: boolean) => {
    if (isOver) return router.push(donePath);
    if (batch.kind === 'practice') setPractised({ ...(items[index] as WorkItem), answer });
    settle({ state: 'answered', answer, draft: null });
  };

  const item = items[index];
  if (!item) return null;
  if (practised)
    return <PracticeFeedback batch={batch} item={practised} onNext={() => setPractised(undefined)} />;
  if (items.every(({ state }) => state !== 'open'))
    return <FinishBatch batchId={batch.id} donePath={donePath} />;
  const Item = itemOf[batch.stage.kind];
  return (
    <KeysProvider stored={keys}>
      <Item
        // A new revision of the draft, such as after a take-over, is opened afresh.
        key={`${item.leaseId}/${item.state}/${freshTerm}/${item.draft?.revision ?? 0}`}
        batch={batch}
        item={item}
        index={index}
        userId={userId}
        guide={guide}
        store={store}
        images={images}
        mayEdit={ownership.mayEdit && term <= freshTerm && ended === undefined}
        isReader={ownership.isReader}
        onTakeOver={ownership.takeOver}
        onAnswered={answered}
        onReleased={() => settle({ state: 'released' })}
        onGo={(step) => setIndex((at) => Math.min(items.length - 1, Math.max(0, at + step)))}
        onReload={onReload}
        onOutbox={(open) => {
          outbox.current = open;
        }}
        ended={ended}
      />
    </KeysProvider>
  );
}

/** Where the address says, else the first item that is open. */
function firstPlace(items: readonly WorkItem[]): number {
  const asked = Number(new URLSearchParams(window.location.search).get('item')) - 1;
  if (items[asked]) return asked;
  return Math.max(
    0,
    items.findIndex(({ state }) => state === 'open'),
  );
}

/** The next open item, going round: what was passed over comes again at the end. */
function nextOpen(items: readonly WorkItem[], from: number): number | undefined {
  for (let step = 1; step < items.length; step++) {
    const place = (from + step) % items.length;
    if (items[place]?.state === 'open') return place;
  }
  return undefined;
}
