'use client';

import { Button } from '@/app/_ui/button';
import { Dialog, DialogFooter } from '@/app/_ui/dialog';

interface ChooseVersionProps {
  open: boolean;
  onChoose: (keep: 'mine' | 'theirs') => void;
}

/** Two versions of one drawing are never merged silently. */
export function ChooseVersion({ open, onChoose }: ChooseVersionProps) {
  return (
    <Dialog
      title="This item was changed elsewhere"
      description="Another device stored a different version of this item. Choose which one to keep."
      open={open}
    >
      <DialogFooter>
        <Button onClick={() => onChoose('theirs')}>Use the other version</Button>
        <Button variant="primary" onClick={() => onChoose('mine')}>
          Keep what I see here
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
