'use client';

import { useTranslations } from 'next-intl';
import { Button } from '@/app/_ui/button';
import { Dialog, DialogFooter } from '@/app/_ui/dialog';

interface ChooseVersionProps {
  open: boolean;
  onChoose: (keep: 'mine' | 'theirs') => void;
}

/** Two versions of one drawing are never merged silently. */
export function ChooseVersion({ open, onChoose }: ChooseVersionProps) {
  const t = useTranslations('work.conflict');
  return (
    <Dialog title={t('title')} description={t('text')} open={open}>
      <DialogFooter>
        <Button onClick={() => onChoose('theirs')}>{t('theirs')}</Button>
        <Button variant="primary" onClick={() => onChoose('mine')}>
          {t('mine')}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
