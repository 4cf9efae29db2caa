'use client';

import { Printer } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Button } from '@/app/_ui/button';

export function PrintButton() {
  const t = useTranslations('consent');
  return (
    <Button size="large" variant="quiet" icon={<Printer aria-hidden />} onClick={() => window.print()}>
      {t('print')}
    </Button>
  );
}
