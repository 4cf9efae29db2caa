'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '@/app/_ui/button';
import { ErrorState } from '@/app/_ui/error-state';
import type { ItemProps } from './item-props';
import { reportBroken } from './report-buttons';
import { unclosedItems } from './work-image';
import { useExplainProblem } from './work-text';

/** In place of an image that is not there. The rest of the batch goes on. */
export function ImageProblem({ item, isBroken }: { item: ItemProps; isBroken: boolean }) {
  const t = useTranslations('work.image');
  const explain = useExplainProblem();
  const [problem, setProblem] = useState<string>();
  const report = async () =>
    setProblem(await reportBroken(unclosedItems(item.work, item.image), item.onReleased, explain));
  return (
    <ErrorState
      className="m-auto"
      title={isBroken ? t('brokenTitle') : t('missingTitle')}
      action={
        <>
          {!isBroken && <Button onClick={item.onReload}>{t('retry')}</Button>}
          <Button variant="primary" disabled={!item.canEdit} onClick={report}>
            {t('report')}
          </Button>
        </>
      }
    >
      {problem ?? (isBroken ? t('broken') : t('missing'))}
    </ErrorState>
  );
}
