'use client';

import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { closeStudy, withdrawLink } from './actions';

const small = (word: string) => (
  <Button variant="quiet" size="small">
    {word}
  </Button>
);

export function WithdrawLink({ slug, id }: { slug: string; id: string }) {
  return (
    <ConfirmDialog
      trigger={small('Withdraw')}
      title="Withdraw this link?"
      confirm="Withdraw"
      danger
      onConfirm={async () => (await withdrawLink(slug, id)).error}
    >
      The link stops working. Workers who have joined keep their access.
    </ConfirmDialog>
  );
}

export function CloseStudy({ slug, id }: { slug: string; id: string }) {
  return (
    <ConfirmDialog
      trigger={small('Close')}
      title="Close this study?"
      confirm="Close"
      danger
      onConfirm={async () => (await closeStudy(slug, id)).error}
    >
      New participants are rejected. Current participants can finish and are paid.
    </ConfirmDialog>
  );
}
