'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Before, Form } from '@/app/_actions/action';
import { type FormState, submitForm } from '@/app/_actions/form-state';
import { database } from '@/db';
import { requireActor } from '@/lib/auth/page';
import { appeal } from '@/lib/crowd/trust';

const Which = z.object({ decisionId: z.uuid(), appealId: z.uuid() });
const Appeal = z.object({
  text: z.string().trim().min(1, 'Write what the curator should know.').max(4000, 'At most 4000 characters.'),
});

export const sendAppeal = action([Which, Before, Form], async (which, _before, form): Promise<FormState> => {
  const actor = await requireActor();
  const ids = which;
  const state = await submitForm(Appeal, form, async ({ text }) => {
    await appeal(database(), actor, { ...ids, text });
  });
  revalidatePath('/annotate', 'layout');
  return state;
});
