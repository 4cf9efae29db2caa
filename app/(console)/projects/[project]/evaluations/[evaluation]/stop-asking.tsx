'use client';

import { Square } from 'lucide-react';
import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { stopAskingPeople } from './actions';

export const StopAsking = (place: { slug: string; evaluationId: string }) => (
  <ConfirmDialog
    danger
    title="Stop requesting answers?"
    confirm="Stop"
    onConfirm={() => stopAskingPeople(place)}
    trigger={
      <Button size="small" icon={<Square aria-hidden />}>
        Stop requests
      </Button>
    }
  >
    Open items are withdrawn. Submitted answers are paid and kept. If you start the same evaluation again, it
    requests only the missing answers.
  </ConfirmDialog>
);
