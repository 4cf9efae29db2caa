'use client';

import { useEffect, useRef, useState } from 'react';
import { exceptSubmit, useKeyQueue } from '@/app/_ui/use-key-queue';
import { itemStatus } from '@/lib/core/editor';
import { DrawingSession } from './drawing-session';
import { DrawingWork } from './drawing-work';
import type { ItemProps } from './item-props';
import { LoadingWork } from './loading-work';
import { isClosed } from './work-image';

/** An image on which something is drawn: opens its session, then shows the annotator. */
export function DrawingItem(props: ItemProps) {
  const { session, image, item, canEdit, settings, hasSmartTools, work, onOpen } = props;
  const [drawing, setDrawing] = useState<DrawingSession>();
  useKeyQueue(!drawing, exceptSubmit);

  // biome-ignore lint/correctness/useExhaustiveDependencies: an image is opened once; the parent's key opens it again.
  useEffect(() => {
    let opened: DrawingSession | undefined;
    let isGone = false;
    void DrawingSession.open({ image, session, settings, hasSmartTools }, item).then((made) => {
      opened = made;
      if (isGone) made.close();
      else setDrawing(made);
    });
    return () => {
      isGone = true;
      opened?.close();
    };
  }, []);

  // The editor knows which target is drawn and the page follows it, except where the page itself opens another one.
  const reported = useRef(item);
  useEffect(() => {
    if (!drawing) return;
    const { editor } = drawing;
    let { label } = editor.state;
    return editor.subscribe(() => {
      if (editor.state.label === label) return;
      label = editor.state.label;
      reported.current = drawing.targetOf(label).item;
      onOpen(reported.current);
    });
  }, [drawing, onOpen]);
  useEffect(() => {
    if (reported.current === item) return;
    reported.current = item;
    const label = drawing?.targets.find((target) => target.item === item)?.label;
    if (label !== undefined) drawing?.editor.dispatch({ type: 'label', label });
  }, [drawing, item]);

  const closed = image.items
    .filter(({ leaseId }) => isClosed(itemStatus(work, leaseId)))
    .map(({ leaseId }) => leaseId)
    .join();
  useEffect(() => {
    const labels = drawing?.targets.filter(({ item }) => closed.includes(item.leaseId)) ?? [];
    drawing?.editor.dispatch({ type: 'view', view: { locked: new Set(labels.map(({ label }) => label)) } });
  }, [drawing, closed]);
  useEffect(() => {
    drawing?.editor.dispatch({ type: 'settings', settings: { readOnly: !canEdit } });
  }, [drawing, canEdit]);

  if (!drawing) return <LoadingWork />;
  return <DrawingWork {...props} drawing={drawing} />;
}
