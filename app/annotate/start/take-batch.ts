'use server';

import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { z } from 'zod';
import { action, Before, Form } from '@/app/_actions/action';
import type { FormState } from '@/app/_actions/form-state';
import { submitExplained } from '@/app/_i18n/explain-error';
import { database } from '@/db';
import { requireActor } from '@/lib/services/access/page';
import { prepareBatch } from '@/lib/services/assists';
import { takeBatch } from '@/lib/services/crowd/work';

const Wanted = z.object({
  stage: z.uuid(),
  kind: z.enum(['work', 'exam', 'practice', 'refresher']),
});

/** The worker's open batch of a stage, or a new one of this kind, and on to it; or why there is none. */
export const startBatch = action([Before, Form], async (_before, form): Promise<FormState> => {
  const actor = await requireActor();
  let batchId = '';
  const state = await submitExplained(Wanted, form, async ({ stage, kind }) => {
    const batch = await takeBatch(database(), actor, { stageId: stage, kind });
    batchId = batch?.id ?? '';
    if (batch) await prepareBatch(database(), actor, batch.id);
  });
  if (batchId !== '') redirect(`/annotate/batch/${batchId}`);
  return state.error ? state : { error: (await getTranslations('errors'))('nothingLeft') };
});
