'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Id, Slug } from '@/app/_actions/action';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import type { PayeeDetails } from '@/lib/core/payee';
import { pageProject } from '@/lib/services/access/page';
import {
  approvePayout,
  cancelPayout,
  decidePayReview,
  markPaid,
  payBonus,
  readPayee,
  sendPayout,
} from '@/lib/services/crowd/pay';

const Bonuses = z.strictObject({
  bonusId: z.uuid(),
  currency: z.string().length(3),
  note: z.string().trim().min(1).max(500),
  lines: z
    .array(z.strictObject({ workerId: z.uuid(), amountMicro: z.string().regex(/^\d{1,15}$/) }))
    .max(10_000),
});

const manage = (slug: string) => pageProject(Slug.parse(slug), 'crowd.manage');
const refresh = (slug: string) => revalidatePath(`/projects/${slug}/crowd`, 'layout');

/** Pays the bonus list that the curator saw. Sending the same list again pays nothing. */
export const payBonuses = action([Slug, Bonuses], async (slug, list): Promise<FormState> => {
  const { actor, project } = await manage(slug);
  const { lines, ...bonus } = list;
  const state = await refusalOf(async () => {
    await payBonus(database(), actor, {
      projectId: project.id,
      ...bonus,
      lines: lines.map(({ workerId, amountMicro }) => ({ workerId, amountMicro: BigInt(amountMicro) })),
    });
  });
  refresh(project.slug);
  return state;
});

export const approve = action([Slug, z.string().max(500)], async (slug, note): Promise<FormState> => {
  const { actor, project } = await manage(slug);
  const state = await refusalOf(async () => {
    await approvePayout(database(), actor, { projectId: project.id, note });
  });
  refresh(project.slug);
  return state;
});

const Review = z.strictObject({
  batchId: z.uuid(),
  verdict: z.enum(['approved', 'refused']),
  note: z.string().max(500),
});

/** Approves or refuses the pay of a batch in review. */
export const decideReview = action([Slug, Review], async (slug, review): Promise<FormState> => {
  const { actor, project } = await manage(slug);
  const state = await refusalOf(() => decidePayReview(database(), actor, review));
  refresh(project.slug);
  return state;
});

/** Returns the payee details of one worker to a curator who pays manually. */
export const showPayee = action(
  [Slug, Id],
  async (slug, workerId): Promise<FormState & { details?: PayeeDetails }> => {
    const { actor, project } = await pageProject(slug, 'payees.read');
    let details: PayeeDetails | undefined;
    const state = await refusalOf(async () => {
      details = await readPayee(database(), actor, { projectId: project.id, workerId });
    });
    return { ...state, details };
  },
);

const settlings = { sent: sendPayout, paid: markPaid, cancelled: cancelPayout };

export const settle = action(
  [Slug, Id, z.enum(['sent', 'paid', 'cancelled'])],
  async (slug, payoutId, as): Promise<FormState> => {
    const { actor, project } = await manage(slug);
    const state = await refusalOf(async () => {
      await settlings[as](database(), actor, {
        payoutId,
      });
    });
    refresh(project.slug);
    return state;
  },
);
