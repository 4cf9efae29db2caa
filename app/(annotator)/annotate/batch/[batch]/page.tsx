import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getLocale } from 'next-intl/server';
import { Translated } from '@/app/_i18n/translated';
import { batchGuide } from '@/app/annotate/_work/batch-guide';
import { BatchWork } from '@/app/annotate/_work/batch-work';
import { database } from '@/db';
import { looksLikeId } from '@/lib/services/access';
import { requireActor } from '@/lib/services/access/page';
import { ownKeys, ownSettings } from '@/lib/services/accounts';
import { hasSmartTools } from '@/lib/services/assists';

export const metadata: Metadata = { title: 'Batch' };

interface BatchPageProps {
  params: Promise<{ batch: string }>;
}

/** Outside of the worker's shell: the annotator has the whole window. */
export default async function BatchPage({ params }: BatchPageProps) {
  const { batch } = await params;
  const { userId } = await requireActor();
  if (!looksLikeId(batch)) notFound();
  const [guide, keys, settings] = await Promise.all([
    batchGuide(database(), userId, batch, await getLocale()),
    ownKeys(database(), userId),
    ownSettings(database(), userId),
  ]);
  return (
    <Translated namespaces={['practice', 'errors', 'texts']}>
      <BatchWork
        batchId={batch}
        userId={userId}
        guide={guide}
        keys={keys}
        settings={settings}
        hasSmartTools={hasSmartTools()}
      />
    </Translated>
  );
}
