'use client';

import type { ReactNode } from 'react';
import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';

interface RevokeButtonProps {
  label: string;
  title: string;
  confirm: string;
  act: () => Promise<string | undefined>;
  children: ReactNode;
}

export function RevokeButton({ label, title, confirm, act, children }: RevokeButtonProps) {
  return (
    <ConfirmDialog
      danger
      title={title}
      confirm={confirm}
      onConfirm={act}
      trigger={
        <Button variant="quiet" size="small">
          {label}
        </Button>
      }
    >
      {children}
    </ConfirmDialog>
  );
}
