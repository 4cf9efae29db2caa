'use client';

import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { withdraw } from './actions';

export function WithdrawInvitation({ id }: { id: string }) {
  return (
    <ConfirmDialog
      danger
      title="Withdraw this invitation?"
      confirm="Withdraw"
      onConfirm={() => withdraw(id)}
      trigger={
        <Button variant="quiet" size="small">
          Withdraw
        </Button>
      }
    >
      Nobody else can join with the link. Whoever joined already stays.
    </ConfirmDialog>
  );
}
