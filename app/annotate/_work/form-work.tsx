'use client';

import type { ReactNode } from 'react';
import { Button } from '@/app/_ui/button';
import { State } from '@/app/_ui/state';
import { exceptSubmit, useKeyQueue } from '@/app/_ui/use-key-queue';
import type { AnswerValue } from '@/lib/quality/answer';
import { ItemDialogs } from './item-dialogs';
import type { ItemProps } from './item-props';
import { taskSentence } from './task-sentence';
import { toggleFullScreen } from './toggle-full-screen';
import { useActivity } from './use-activity';
import type { FormDraft } from './use-form-outbox';
import { useOutboxEvents } from './use-outbox-events';
import { usePageKeys } from './use-page-keys';
import { useSheets } from './use-sheets';
import { useSubmit } from './use-submit';
import { Notice, WorkFrame } from './work-frame';

interface FormWorkProps<T> extends ItemProps {
  draft: FormDraft<T>;
  /** The answer, or nothing while a rule is broken. */
  answer: () => AnswerValue | undefined;
  children: (submit: () => void) => ReactNode;
}

const scopes = ['page', 'attributes'] as const;

/** The frame around an item that is answered by choosing. */
export function FormWork<T>(props: FormWorkProps<T>) {
  const { draft, answer, children, batch, item, store, mayEdit, userId, onAnswered, onGo } = props;
  const { outbox, driver } = draft;
  const activity = useActivity(store, item.leaseId, item.draft !== null);
  const submitting = useSubmit({ lease: item.leaseId, store, activity, outbox: driver, onDone: onAnswered });
  useKeyQueue(submitting.isPending || !draft.isReady, exceptSubmit);
  const sheets = useSheets();
  useOutboxEvents(driver);
  const isOpen = item.state === 'open';
  const submit = () => {
    const value = answer();
    if (value && mayEdit && isOpen && !submitting.isPending) void submitting.submit(value);
  };
  usePageKeys({
    shortcuts: () => sheets.show('shortcuts'),
    comment: () => sheets.show('comment'),
    'full-screen': toggleFullScreen,
    'next-item': () => onGo(1),
    'previous-item': () => onGo(-1),
  });
  return (
    <WorkFrame
      item={props}
      title={taskSentence(batch, item)}
      outbox={outbox}
      activity={activity}
      sheets={sheets}
      notices={submitting.problem && <Notice>{submitting.problem}</Notice>}
      actions={
        isOpen ? (
          <Button
            variant="primary"
            disabled={!mayEdit || !draft.isReady}
            pending={submitting.isPending}
            onClick={submit}
          >
            Submit
          </Button>
        ) : (
          <State state={item.state} tone={item.state === 'answered' ? 'good' : 'neutral'} />
        )
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto p-4" inert={!mayEdit || !isOpen}>
        {children(submit)}
      </div>
      <ItemDialogs
        userId={userId}
        scopes={scopes}
        sheets={sheets}
        outbox={outbox}
        driver={driver}
        submitting={submitting}
      />
    </WorkFrame>
  );
}
