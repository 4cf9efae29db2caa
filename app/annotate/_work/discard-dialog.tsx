'use client';

import { useTranslations } from 'next-intl';
import { Button } from '@/app/_ui/button';
import { Dialog, DialogFooter } from '@/app/_ui/dialog';

interface DiscardDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onDiscard: () => void;
}

/** Asks before "Nothing to label" discards a drawing. */
export function DiscardDialog({ open, onOpenChange, onDiscard }: DiscardDialogProps) {
  const t = useTranslations('work.discard');
  const discard = () => {
    onOpenChange(false);
    onDiscard();
  };
  return (
    <Dialog title={t('title')} description={t('text')} open={open} onOpenChange={onOpenChange}>
      <DialogFooter>
        <Button onClick={() => onOpenChange(false)}>{t('keep')}</Button>
        <Button variant="danger" onClick={discard}>
          {t('discard')}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
