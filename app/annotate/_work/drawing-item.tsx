'use client';

import { useEffect, useState } from 'react';
import { exceptSubmit, useKeyQueue } from '@/app/_ui/use-key-queue';
import type { OutboxState } from '@/lib/annotator';
import { DrawingSession } from './drawing-session';
import { DrawingWork } from './drawing-work';
import type { ItemProps } from './item-props';
import { LoadingWork } from './loading-work';

/** An item that asks for a drawing: opens its session, then shows the annotator. */
export function DrawingItem(props: ItemProps) {
  const { batch, item, store, mayEdit, onOutbox } = props;
  const [session, setSession] = useState<DrawingSession>();
  const [outbox, setOutbox] = useState<OutboxState>();
  useKeyQueue(!session, exceptSubmit);

  // biome-ignore lint/correctness/useExhaustiveDependencies: an item is opened once; the parent's key opens it anew.
  useEffect(() => {
    let opened: DrawingSession | undefined;
    let isGone = false;
    void DrawingSession.open(item, batch, store, (state) => !isGone && setOutbox(state)).then((made) => {
      opened = made;
      if (isGone) return made.close();
      onOutbox(made.outbox);
      setSession(made);
    });
    return () => {
      isGone = true;
      opened?.close();
      onOutbox(undefined);
    };
  }, []);
  useEffect(() => {
    const readOnly = !mayEdit || item.state !== 'open';
    session?.editor.dispatch({ type: 'settings', settings: { readOnly } });
  }, [session, mayEdit, item.state]);

  if (!session) return <LoadingWork />;
  return <DrawingWork {...props} session={session} outbox={outbox} />;
}
