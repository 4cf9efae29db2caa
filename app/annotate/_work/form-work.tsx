'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { exceptSubmit, useKeyQueue } from '@/app/_ui/use-key-queue';
import { DoneActions } from './done-actions';
import { ItemDialogs } from './item-dialogs';
import type { ItemProps } from './item-props';
import { useTaskSentence } from './task-sentence';
import { TextsNote } from './texts-note';
import { toggleFullScreen } from './toggle-full-screen';
import { useActivity } from './use-activity';
import { usePageKeys } from './use-page-keys';
import { WorkFrame } from './work-frame';

interface FormWorkProps {
  props: ItemProps;
  children: (form: { done: () => void; showProblems: boolean }) => ReactNode;
}

const scopes = ['page', 'attributes'] as const;

/** The frame around an item that is answered by choosing. */
export function FormWork({ props, children }: FormWorkProps) {
  const { session, batch, item, status, canEdit, sheets, onGo } = props;
  const [showProblems, setShowProblems] = useState(false);
  useActivity(session.activities, item.leaseId);
  useKeyQueue(props.isChecking, exceptSubmit);
  usePreloaded(props);
  const title = useTaskSentence(batch, item);
  const isOpen = status !== 'answered' && status !== 'released';
  const done = () => {
    const value = session.codec(item.leaseId).answer(session.document(item.leaseId) ?? '');
    setShowProblems(!value);
    if (value && canEdit && isOpen && !props.isChecking) props.onDone(value);
  };
  usePageKeys({
    'submit-batch': () => canEdit && props.onSubmit(),
    shortcuts: () => sheets.show('shortcuts'),
    comment: () => sheets.show('comment'),
    'full-screen': toggleFullScreen,
    'next-item': () => onGo(1),
    'previous-item': () => onGo(-1),
  });
  return (
    <WorkFrame item={props} title={title} actions={<DoneActions props={props} onDone={done} />}>
      <div className="min-h-0 flex-1 overflow-y-auto p-4" inert={!canEdit || !isOpen}>
        <TextsNote batch={batch} guide={props.guide} />
        {children({ done, showProblems })}
      </div>
      <ItemDialogs props={props} scopes={scopes} />
    </WorkFrame>
  );
}

/** Lets the browser decode the next picture, so that it is on the screen at once. */
function usePreloaded({ images, image }: ItemProps): void {
  const url = images[images.indexOf(image) + 1]?.items[0]?.image.working.url;
  useEffect(() => {
    if (!url) return;
    const next = new Image();
    next.src = url;
    next.decode().catch(() => undefined);
  }, [url]);
}
