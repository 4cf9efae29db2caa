'use client';

import { useEffect, useState } from 'react';
import { exceptSubmit, useKeyQueue } from '@/app/_ui/use-key-queue';
import { DrawingSession } from './drawing-session';
import { DrawingWork } from './drawing-work';
import type { ItemProps } from './item-props';
import { LoadingWork } from './loading-work';

/** An item that asks for a drawing: opens its session, then shows the annotator. */
export function DrawingItem(props: ItemProps) {
  const { session: batch, item, canEdit, status, settings } = props;
  const [session, setSession] = useState<DrawingSession>();
  useKeyQueue(!session, exceptSubmit);

  // biome-ignore lint/correctness/useExhaustiveDependencies: an item is opened once; the parent's key opens it anew.
  useEffect(() => {
    let opened: DrawingSession | undefined;
    let isGone = false;
    void DrawingSession.open(item, batch, settings, props.hasSmartTools).then((made) => {
      opened = made;
      if (isGone) made.close();
      else setSession(made);
    });
    return () => {
      isGone = true;
      opened?.close();
    };
  }, []);
  const isOpen = status !== 'answered' && status !== 'released';
  useEffect(() => {
    session?.editor.dispatch({ type: 'settings', settings: { readOnly: !canEdit || !isOpen } });
  }, [session, canEdit, isOpen]);

  if (!session) return <LoadingWork />;
  return <DrawingWork {...props} drawing={session} />;
}
