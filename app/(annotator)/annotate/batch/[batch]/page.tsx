import type { Metadata } from 'next';
import { BatchWork } from '@/app/annotate/_work/batch-work';
import { requireActor } from '@/lib/auth/page';

export const metadata: Metadata = { title: 'Batch' };

interface BatchPageProps {
  params: Promise<{ batch: string }>;
}

/** Outside of the worker's shell: the annotator has the whole window. */
export default async function BatchPage({ params }: BatchPageProps) {
  const { batch } = await params;
  const { userId } = await requireActor();
  return <BatchWork batchId={batch} userId={userId} />;
}
