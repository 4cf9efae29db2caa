'use server';

import { redirect } from 'next/navigation';
import { z } from 'zod';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { leave } from '@/lib/crowd/recruit';

/** Ends the visit and sends the browser to the marketplace with the code for how it ended. */
export async function leaveVisit(slug: string): Promise<FormState> {
  const { project, actor } = await pageProject(z.string().parse(slug), 'work.read');
  let next: string | undefined;
  const refused = await refusalOf(async () => {
    const { completionUrl } = await leave(database(), actor, { projectId: project.id });
    next = completionUrl ?? '/';
  });
  if (next === undefined) return refused;
  redirect(next);
}
