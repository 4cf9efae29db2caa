'use server';

import { redirect } from 'next/navigation';
import { action, Slug } from '@/app/_actions/action';
import type { FormState } from '@/app/_actions/form-state';
import { explained } from '@/app/_i18n/explain-error';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { leave } from '@/lib/services/crowd/recruit';

/** Ends the visit and sends the browser to the marketplace with the code for how it ended. */
export const leaveVisit = action([Slug], async (slug): Promise<FormState> => {
  const { project, actor } = await pageProject(slug, 'work.read');
  let next: string | undefined;
  const refused = await explained(async () => {
    const { completionUrl } = await leave(database(), actor, { projectId: project.id });
    next = completionUrl ?? '/';
  });
  if (next === undefined) return refused;
  redirect(next);
});
