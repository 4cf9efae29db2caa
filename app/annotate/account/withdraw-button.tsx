'use client';

import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { withdrawFrom } from './actions';

export function WithdrawButton({ slug, name }: { slug: string; name: string }) {
  return (
    <ConfirmDialog
      danger
      title={`Withdraw from ${name}?`}
      confirm="Withdraw"
      onConfirm={() => withdrawFrom(slug)}
      trigger={
        <Button size="small" variant="quiet">
          Withdraw
        </Button>
      }
    >
      <ul className="flex list-disc flex-col gap-1 pl-5">
        <li>You get no more work in this project.</li>
        <li>All that you finished stays paid, and what is still due is paid.</li>
        <li>An open batch goes back: its finished items are paid, the others go to somebody else.</li>
        <li>Answers that you gave stay in the data, without your name.</li>
        <li>You can agree again later if you change your mind.</li>
      </ul>
    </ConfirmDialog>
  );
}
