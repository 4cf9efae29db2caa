'use client';

import { useTranslations } from 'next-intl';
import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { deleteOwnPayee } from '../[project]/payee/actions';

export function DeletePayee({ projectId, name }: { projectId: string; name: string }) {
  const t = useTranslations('payee');
  return (
    <ConfirmDialog
      danger
      title={t('deleteTitle', { project: name })}
      confirm={t('delete')}
      onConfirm={() => deleteOwnPayee(projectId)}
      trigger={<Button variant="quiet">{t('delete')}</Button>}
    >
      {t('deleteText')}
    </ConfirmDialog>
  );
}
