'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Before, Form } from '@/app/_actions/action';
import type { FormState } from '@/app/_actions/form-state';
import { submitExplained } from '@/app/_i18n/explain-error';
import { database } from '@/db';
import { requireActor } from '@/lib/services/access/page';
import { appeal } from '@/lib/services/crowd/trust';

const Which = z.object({ decisionId: z.uuid(), appealId: z.uuid() });
const Appeal = z.object({
  text: z.string().trim().min(1).max(4000),
});

export const sendAppeal = action([Which, Before, Form], async (which, _before, form): Promise<FormState> => {
  const actor = await requireActor();
  const ids = which;
  const state = await submitExplained(Appeal, form, async ({ text }) => {
    await appeal(database(), actor, { ...ids, text });
  });
  revalidatePath('/annotate', 'layout');
  return state;
});
