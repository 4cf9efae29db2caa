import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { batchExamples } from '@/app/annotate/_work/batch-examples';
import { BatchWork } from '@/app/annotate/_work/batch-work';
import { database } from '@/db';
import { looksLikeId } from '@/lib/auth';
import { requireActor } from '@/lib/auth/page';
import { ownKeys } from '@/lib/users';

export const metadata: Metadata = { title: 'Batch' };

interface BatchPageProps {
  params: Promise<{ batch: string }>;
}

/** Outside of the worker's shell: the annotator has the whole window. */
export default async function BatchPage({ params }: BatchPageProps) {
  const { batch } = await params;
  const { userId } = await requireActor();
  if (!looksLikeId(batch)) notFound();
  const [examples, keys] = await Promise.all([
    batchExamples(database(), userId, batch),
    ownKeys(database(), userId),
  ]);
  return <BatchWork batchId={batch} userId={userId} examples={examples} keys={keys} />;
}
