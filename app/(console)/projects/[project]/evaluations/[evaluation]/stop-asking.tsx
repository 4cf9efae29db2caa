'use client';

import { Square } from 'lucide-react';
import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { stopAskingPeople } from './actions';

export const StopAsking = (place: { slug: string; evaluationId: string }) => (
  <ConfirmDialog
    danger
    title="Stop asking people?"
    confirm="Stop"
    onConfirm={() => stopAskingPeople(place)}
    trigger={
      <Button size="small" icon={<Square aria-hidden />}>
        Stop asking
      </Button>
    }
  >
    Open questions are withdrawn. What was answered is paid and kept: the same evaluation begun again asks
    only what nobody answered.
  </ConfirmDialog>
);
