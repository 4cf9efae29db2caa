'use client';

import { useTranslations } from 'next-intl';
import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { withdrawFrom } from './actions';

export function WithdrawButton({ slug, name }: { slug: string; name: string }) {
  const t = useTranslations('withdraw');
  return (
    <ConfirmDialog
      danger
      title={t('title', { project: name })}
      confirm={t('action')}
      onConfirm={() => withdrawFrom(slug)}
      trigger={
        <Button size="small" variant="quiet">
          {t('action')}
        </Button>
      }
    >
      <ul className="flex list-disc flex-col gap-1 ps-5">
        <li>{t('noWork')}</li>
        <li>{t('paid')}</li>
        <li>{t('open')}</li>
        <li>{t('answers')}</li>
        <li>{t('again')}</li>
      </ul>
    </ConfirmDialog>
  );
}
