'use client';

import { Button } from '@/app/_ui/button';
import { Dialog, DialogFooter } from '@/app/_ui/dialog';

interface DiscardDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onDiscard: () => void;
}

/** Asks before "Nothing to label" discards a drawing. */
export function DiscardDialog({ open, onOpenChange, onDiscard }: DiscardDialogProps) {
  const discard = () => {
    onOpenChange(false);
    onDiscard();
  };
  return (
    <Dialog
      title="Discard the drawing?"
      description="“Nothing to label” removes what you drew on this item. You can undo it."
      open={open}
      onOpenChange={onOpenChange}
    >
      <DialogFooter>
        <Button onClick={() => onOpenChange(false)}>Keep the drawing</Button>
        <Button variant="danger" onClick={discard}>
          Discard
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
