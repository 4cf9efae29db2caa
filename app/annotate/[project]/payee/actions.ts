'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { action, Before, Form, Id, Slug } from '@/app/_actions/action';
import type { FormState } from '@/app/_actions/form-state';
import { explained, submitExplained } from '@/app/_i18n/explain-error';
import { database } from '@/db';
import { PayeeDetails } from '@/lib/core/payee';
import { pageProject, requireRight } from '@/lib/services/access/page';
import { deletePayee, savePayee } from '@/lib/services/crowd/pay';

export const saveOwnPayee = action([Slug, Before, Form], async (slug, _before, form): Promise<FormState> => {
  const { project, actor } = await pageProject(slug, 'work.payee');
  const state = await submitExplained(PayeeDetails, form, (details) =>
    savePayee(database(), actor, { projectId: project.id, details }),
  );
  if (state.error) return state;
  revalidatePath('/annotate', 'layout');
  redirect('/annotate/account#pay');
});

/** By the id of the project: it also works after the worker left. */
export const deleteOwnPayee = action([Id], async (projectId): Promise<string | undefined> => {
  const actor = await requireRight('account.manage');
  const { error } = await explained(() => deletePayee(database(), actor, { projectId }));
  revalidatePath('/annotate', 'layout');
  return error;
});
