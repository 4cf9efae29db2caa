'use client';

import { Button } from '@/app/_ui/button';
import { Dialog, DialogFooter } from '@/app/_ui/dialog';
import { type BatchState, openLeases } from '@/lib/core/editor';
import { formatCount } from '@/lib/core/format';
import type { WorkBatch } from './api';

const descriptions: Readonly<Record<WorkBatch['kind'], string>> = {
  work: 'You are paid for the items that are done. The others go back to the pool. You may get them again later, with your drafts.',
  exam: 'Items that are not done count as wrong. You cannot change an exam after you submit it.',
  practice: 'You can practise again later.',
};

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
  const count = openLeases(work).length;
  const act = (then: () => void) => () => {
    onOpenChange(false);
    then();
  };
  return (
    <Dialog
      title={`${formatCount(count, 'item')} ${count === 1 ? 'is' : 'are'} not done`}
      description={descriptions[kind]}
      open={open}
      onOpenChange={onOpenChange}
    >
      <DialogFooter>
        <Button onClick={act(onSubmit)}>Submit anyway</Button>
        <Button variant="primary" onClick={act(onReview)}>
          Go to the next open item
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
