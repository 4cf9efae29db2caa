'use client';

import { useTranslations } from 'next-intl';
import { Button } from '@/app/_ui/button';
import { Dialog, DialogFooter } from '@/app/_ui/dialog';
import { type BatchState, openLeases } from '@/lib/core/editor';
import type { WorkBatch } from './api';

interface SubmitDialogProps {
  open: boolean;
  work: BatchState;
  kind: WorkBatch['kind'];
  onOpenChange: (open: boolean) => void;
  onSubmit: () => void;
  onReview: () => void;
}

/** Asks before a batch is submitted in which some items are not done. */
export function SubmitDialog({ open, work, kind, onOpenChange, onSubmit, onReview }: SubmitDialogProps) {
  const t = useTranslations('work.submit');
  const count = openLeases(work).length;
  const act = (then: () => void) => () => {
    onOpenChange(false);
    then();
  };
  return (
    <Dialog title={t('title', { count })} description={t(kind)} open={open} onOpenChange={onOpenChange}>
      <DialogFooter>
        <Button onClick={act(onSubmit)}>{t('anyway')}</Button>
        <Button variant="primary" onClick={act(onReview)}>
          {t('review')}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
