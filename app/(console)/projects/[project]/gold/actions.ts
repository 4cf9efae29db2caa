'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { goldPools } from '@/db/schema';
import { pageProject } from '@/lib/auth/page';
import { decideAboutGold, setGoldPool } from '@/lib/crowd/gold';

const Slug = z.string().min(1).max(80);

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

export async function decide(slug: string, decision: z.input<typeof Decision>): Promise<FormState> {
  const { actor, project } = await pageProject(Slug.parse(slug), 'gold.write');
  const { goldId, state, reason } = Decision.parse(decision);
  const outcome = await refusalOf(() =>
    decideAboutGold(database(), actor, { goldId, state, reason: reason || reasons[state] }),
  );
  revalidatePath(`/projects/${project.slug}/gold`);
  return outcome;
}

const Move = z.strictObject({ goldId: z.uuid(), pool: z.enum(goldPools) });

/** Moves the gold of an image to another pool. */
export async function movePool(slug: string, move: z.input<typeof Move>): Promise<FormState> {
  const { actor, project } = await pageProject(Slug.parse(slug), 'gold.write');
  const parsed = Move.parse(move);
  const outcome = await refusalOf(() => setGoldPool(database(), actor, parsed));
  revalidatePath(`/projects/${project.slug}/gold`);
  return outcome;
}
