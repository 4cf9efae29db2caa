'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { startTransfer } from '@/lib/services/evaluations/transfer/start-transfer';

const Asked = z.object({ slug: z.string().min(1).max(80), ids: z.array(z.uuid()).max(100) });

export const showEachOther = action([Asked], async (input): Promise<string | undefined> => {
  const { slug, ids } = input;
  const { actor, project } = await pageProject(slug, 'evaluations.write');
  const { error } = await refusalOf(async () => {
    await startTransfer(database(), actor, { projectId: project.id, ids });
  });
  revalidatePath(`/projects/${project.slug}/leaderboard`);
  return error;
});
