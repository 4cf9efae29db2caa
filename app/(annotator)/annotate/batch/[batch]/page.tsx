import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getLocale, getTranslations } from 'next-intl/server';
import { batchGuide } from '@/app/annotate/_work/batch-guide';
import { BatchWork } from '@/app/annotate/_work/batch-work';
import { database } from '@/db';
import { looksLikeId } from '@/lib/services/access';
import { requireActor } from '@/lib/services/access/page';
import { ownKeys, ownSettings } from '@/lib/services/accounts';
import { hasSmartTools } from '@/lib/services/assists';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('work'))('title') };
}

interface BatchPageProps {
  params: Promise<{ batch: string }>;
}

/** The workspace of a batch. */
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
    <BatchWork
      batchId={batch}
      userId={userId}
      guide={guide}
      keys={keys}
      settings={settings}
      hasSmartTools={hasSmartTools()}
    />
  );
}
