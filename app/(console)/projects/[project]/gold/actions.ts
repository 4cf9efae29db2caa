'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Slug } from '@/app/_actions/action';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { goldPools } from '@/db/schema';
import { pageProject } from '@/lib/services/access/page';
import { decideAboutGold, setGoldPool } from '@/lib/services/crowd/gold';

const Decision = z.strictObject({
  goldId: z.uuid(),
  state: z.enum(['active', 'excluded', 'retired']),
  reason: z.string().trim().max(500),
});

const reasons = {
  active: 'A curator looked at it and confirmed it.',
  excluded: 'A curator does not want it.',
  retired: 'A curator took it out of use.',
} as const;

export const decide = action([Slug, Decision], async (slug, decision): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'gold.write');
  const { goldId, state, reason } = decision;
  const outcome = await refusalOf(() =>
    decideAboutGold(database(), actor, { goldId, state, reason: reason || reasons[state] }),
  );
  revalidatePath(`/projects/${project.slug}/gold`);
  return outcome;
});

const Move = z.strictObject({ goldId: z.uuid(), pool: z.enum(goldPools) });

/** Moves the gold of an image to another pool. */
export const movePool = action([Slug, Move], async (slug, move): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'gold.write');
  const outcome = await refusalOf(() => setGoldPool(database(), actor, move));
  revalidatePath(`/projects/${project.slug}/gold`);
  return outcome;
});
