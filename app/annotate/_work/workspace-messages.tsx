'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button } from '@/app/_ui/button';
import { cn } from '@/app/_ui/cn';
import { type BatchState, itemStatus } from '@/lib/core/editor';

interface WorkspaceMessagesProps {
  work: BatchState;
  ended: string | undefined;
  isReader: boolean;
  isPractice: boolean;
  onTakeOver: () => void;
  /** Leaves a batch that has ended. */
  onLeave: () => void;
  onCancel: () => void;
}

/** Messages about the batch as a whole. Each one is shown exactly as long as its cause lasts. */
export function WorkspaceMessages(props: WorkspaceMessagesProps) {
  const { work, ended, isReader, isPractice, onTakeOver, onLeave, onCancel } = props;
  const t = useTranslations('work.messages');
  const { submission, items } = work;
  if (isReader)
    return (
      <Message tone="warn" action={<Button onClick={onTakeOver}>{t('takeOver')}</Button>}>
        {t('otherTab')}
      </Message>
    );
  if (submission.kind === 'wanted' || submission.kind === 'sent') {
    const conditions = Object.values(items).map(({ outbox }) => outbox.condition.kind);
    const isWaiting = conditions.includes('offline') || submission.failures > 0;
    return (
      <Message
        tone="info"
        action={submission.wasSent ? undefined : <Button onClick={onCancel}>{t('keepWorking')}</Button>}
      >
        {isWaiting ? t('waiting') : t('submitting')}
      </Message>
    );
  }
  if (ended)
    return (
      <Message
        tone="warn"
        action={
          <Button variant="primary" onClick={onLeave}>
            {t('continue')}
          </Button>
        }
      >
        {ended}
      </Message>
    );
  const statuses = Object.keys(items).map((lease) => itemStatus(work, lease));
  const isAllDone = statuses.every((status) => status === 'done' || status === 'released');
  return (
    <>
      {submission.problem && (
        <Message tone="warn">{t('notSubmitted', { reason: submission.problem })}</Message>
      )}
      {isAllDone && !isPractice && statuses.includes('done') && <Message tone="info">{t('allDone')}</Message>}
    </>
  );
}

interface MessageProps {
  tone: 'info' | 'warn';
  action?: ReactNode;
  children: ReactNode;
}

/** One message over the work. It moves nothing. */
export function Message({ tone, action, children }: MessageProps) {
  return (
    <div
      role={tone === 'warn' ? 'alert' : 'status'}
      className={cn(
        'pointer-events-auto flex min-h-10 max-w-2xl items-center gap-4 rounded-md border px-3 py-1.5 text-sm shadow-overlay',
        tone === 'warn' ? 'border-line bg-warn-soft text-warn' : 'border-line bg-raised text-ink',
      )}
    >
      <p className="flex-1">{children}</p>
      {action}
    </div>
  );
}
