'use client';

import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { Button, ButtonLink } from '@/app/_ui/button';
import { ErrorState } from '@/app/_ui/error-state';
import type { KeyChoices, WorkspaceSettings } from '@/lib/core/editor';
import { Announcer } from '../_canvas/announcer';
import { LoadingWork } from './loading-work';
import type { BatchGuide } from './short-guide';
import { useBatch } from './use-batch';
import { useOwnership } from './use-ownership';

// Konva needs a window.
const OpenBatch = dynamic(() => import('./open-batch').then((module) => module.OpenBatch), {
  ssr: false,
  loading: () => <LoadingWork />,
});

interface BatchWorkProps {
  batchId: string;
  userId: string;
  guide: BatchGuide;
  keys: KeyChoices;
  settings: WorkspaceSettings;
  hasSmartTools: boolean;
}

/** A batch, from asking for it to the last item. */
export function BatchWork({ batchId, userId, guide, keys, settings, hasSmartTools }: BatchWorkProps) {
  const t = useTranslations('work.batch');
  const [loaded, load] = useBatch(batchId, userId);
  // The tabs agree while the batch is loaded, which takes longer in most cases.
  const ownership = useOwnership(`tessera-batch/${userId}/${batchId}`, loaded.kind !== 'failed', async () => {
    if (loaded.kind === 'ready') await loaded.session.settle();
  });
  if (loaded.kind === 'loading') return <LoadingWork />;
  if (loaded.kind === 'failed')
    return (
      <main className="mx-auto max-w-2xl">
        <ErrorState
          title={loaded.status === 404 ? t('missingTitle') : t('failedTitle')}
          action={
            <>
              <Button onClick={load}>{t('retry')}</Button>
              <ButtonLink href="/annotate" variant="primary">
                {t('myWork')}
              </ButtonLink>
            </>
          }
        >
          {loaded.status === 404 ? t('missing') : loaded.text}
        </ErrorState>
      </main>
    );
  return (
    <Announcer>
      <OpenBatch
        session={loaded.session}
        isReloading={loaded.isReloading}
        ownership={ownership}
        userId={userId}
        guide={guide}
        keys={keys}
        settings={settings}
        hasSmartTools={hasSmartTools}
        onReload={load}
      />
    </Announcer>
  );
}
