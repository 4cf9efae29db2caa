'use server';

import { redirect } from 'next/navigation';
import { z } from 'zod';
import { action, Before, Form } from '@/app/_actions/action';
import { type FormState, submitForm } from '@/app/_actions/form-state';
import { database } from '@/db';
import { requireActor } from '@/lib/auth/page';
import { takeBatch } from '@/lib/crowd/work';
import { conflict } from '@/lib/errors';

const Wanted = z.object({
  stage: z.uuid(),
  kind: z.enum(['work', 'exam', 'practice', 'refresher']),
});

/** The worker's open batch of a stage, or a new one of this kind, and on to it; or why there is none. */
export const startBatch = action([Before, Form], async (_before, form): Promise<FormState> => {
  const actor = await requireActor();
  let batchId = '';
  const state = await submitForm(Wanted, form, async ({ stage, kind }) => {
    const batch = await takeBatch(database(), actor, { stageId: stage, kind });
    if (!batch) throw conflict('Nothing is left for you here right now.');
    batchId = batch.id;
  });
  if (batchId !== '') redirect(`/annotate/batch/${batchId}`);
  return state;
});
