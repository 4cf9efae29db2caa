'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Slug } from '@/app/_actions/action';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { decideAboutGold } from '@/lib/services/crowd/gold';

const Decision = z.strictObject({ goldId: z.uuid(), state: z.enum(['active', 'excluded', 'retired']) });

const reasons = {
  active: 'A curator looked at it and confirmed it.',
  excluded: 'A curator looked at it and does not want it.',
  retired: 'A curator took it out of use.',
} as const;

export const decideGold = action([Slug, Decision], async (slug, decision): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'gold.write');
  const { goldId, state } = decision;
  const outcome = await refusalOf(() =>
    decideAboutGold(database(), actor, { goldId, state, reason: reasons[state] }),
  );
  revalidatePath(`/projects/${project.slug}/crowd/checks`);
  return outcome;
});
