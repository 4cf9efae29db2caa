'use client';

import { LogOut } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { IconButton } from '@/app/_ui/icon-button';
import { closeBatch } from './api';

/** Ends a batch before all of it is done. */
export function StopEarly({ batchId, disabled }: { batchId: string; disabled: boolean }) {
  const router = useRouter();
  const stop = async () => {
    try {
      await closeBatch(batchId);
      router.push(`/annotate/batch/${batchId}/done`);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : 'The server does not answer.';
    }
  };
  return (
    <ConfirmDialog
      title="Stop here?"
      confirm="Stop here"
      onConfirm={stop}
      trigger={
        <IconButton label="Stop here" side="top" disabled={disabled}>
          <LogOut aria-hidden />
        </IconButton>
      }
    >
      What you have submitted is paid. The other items go back to the pool, and you may get them again later,
      with your drafts.
    </ConfirmDialog>
  );
}
