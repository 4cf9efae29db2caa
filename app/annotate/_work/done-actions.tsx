'use client';

import { Check } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Button } from '@/app/_ui/button';
import { State } from '@/app/_ui/state';
import { Tooltip } from '@/app/_ui/tooltip';
import { openLeases } from '@/lib/core/editor';
import { useKeyFor } from '../_canvas/keys';
import type { ItemProps } from './item-props';

interface DoneActionsProps {
  props: ItemProps;
  onDone: () => void;
  onImageDone?: () => void;
}

/** Marks the item as done, and submits the batch: the two steps that end the work. */
export function DoneActions({ props, onDone, onImageDone }: DoneActionsProps) {
  const t = useTranslations('work.actions');
  const keyFor = useKeyFor();
  const { batch, work, status, canEdit, isChecking, onReopen, onSubmit } = props;
  const isDone = status === 'done';
  if (status === 'answered' || status === 'released')
    return (
      <>
        <State state={status} tone={status === 'answered' ? 'good' : 'neutral'} className="px-2">
          {t(status)}
        </State>
        {batch.kind !== 'practice' && <SubmitButton props={props} />}
      </>
    );
  if (batch.kind === 'practice')
    return (
      <>
        <Tooltip text={t('checkTip')} shortcut={keyFor('done')}>
          <Button
            variant="primary"
            disabled={!canEdit}
            pending={isChecking}
            className="max-wide:h-11"
            onClick={onDone}
          >
            {t('check')}
          </Button>
        </Tooltip>
        <Button disabled={!canEdit} className="max-wide:h-11" onClick={onSubmit}>
          {t('stopPractice')}
        </Button>
      </>
    );
  const isLast = openLeases(work).length === 0;
  return (
    <>
      <Tooltip text={isDone ? t('reopenTip') : t('doneTip')} shortcut={isDone ? undefined : keyFor('done')}>
        <Button
          variant={isLast ? 'secondary' : 'primary'}
          aria-pressed={isDone}
          disabled={!canEdit}
          icon={isDone ? <Check aria-hidden /> : undefined}
          className="max-wide:h-11"
          onClick={isDone ? onReopen : onDone}
        >
          {t('done')}
        </Button>
      </Tooltip>
      {onImageDone && (
        <Tooltip text={t('imageDoneTip')} shortcut={keyFor('done-image')}>
          <Button disabled={!canEdit} className="max-wide:h-11 max-sm:hidden" onClick={onImageDone}>
            {t('imageDone')}
          </Button>
        </Tooltip>
      )}
      <SubmitButton props={props} isMain={isLast} />
    </>
  );
}

function SubmitButton({ props, isMain }: { props: ItemProps; isMain?: boolean }) {
  const t = useTranslations('work.actions');
  const { work, canEdit, onSubmit } = props;
  const keyFor = useKeyFor();
  const isPending = work.submission.kind === 'wanted' || work.submission.kind === 'sent';
  return (
    <Tooltip text={t('submitTip')} shortcut={keyFor('submit-batch')}>
      <Button
        variant={isMain ? 'primary' : 'secondary'}
        disabled={!canEdit}
        pending={isPending}
        className="max-wide:h-11"
        onClick={onSubmit}
      >
        {t('submit')}
      </Button>
    </Tooltip>
  );
}
