'use server';

import { notFound, redirect } from 'next/navigation';
import { action, Id } from '@/app/_actions/action';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { looksLikeId } from '@/lib/auth';
import { requireActor } from '@/lib/auth/page';
import { takeBatch } from '@/lib/crowd/work';

/** Takes the next batch of the stage and goes to it, or says that there is none. */
export const takeNext = action([Id], async (stageId): Promise<FormState> => {
  const actor = await requireActor();
  if (!looksLikeId(stageId)) notFound();
  let batchId: string | undefined;
  const refusal = await refusalOf(async () => {
    batchId = (await takeBatch(database(), actor, { stageId }))?.id;
  });
  if (batchId) redirect(`/annotate/batch/${batchId}`);
  return refusal.error ? refusal : { error: 'Nothing is left in this stage for now. Look in again later.' };
});
