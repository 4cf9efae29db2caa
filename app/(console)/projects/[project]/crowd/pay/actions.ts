'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import {
  approvePayout,
  cancelPayout,
  decidePayReview,
  markPaid,
  payBonus,
  sendPayout,
} from '@/lib/crowd/pay';

const Slug = z.string().min(1).max(80);

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

/** Pays the list that the curator was shown, once however often it is sent. */
export async function payBonuses(slug: string, list: z.input<typeof Bonuses>): Promise<FormState> {
  const { actor, project } = await manage(slug);
  const { lines, ...bonus } = Bonuses.parse(list);
  const state = await refusalOf(async () => {
    await payBonus(database(), actor, {
      projectId: project.id,
      ...bonus,
      lines: lines.map(({ workerId, amountMicro }) => ({ workerId, amountMicro: BigInt(amountMicro) })),
    });
  });
  refresh(project.slug);
  return state;
}

export async function approve(slug: string, note: string): Promise<FormState> {
  const { actor, project } = await manage(slug);
  const state = await refusalOf(async () => {
    await approvePayout(database(), actor, { projectId: project.id, note: z.string().max(500).parse(note) });
  });
  refresh(project.slug);
  return state;
}

const Review = z.strictObject({
  batchId: z.uuid(),
  verdict: z.enum(['approved', 'refused']),
  note: z.string().max(500),
});

/** Pays a batch in review, or refuses to. */
export async function decideReview(slug: string, review: z.input<typeof Review>): Promise<FormState> {
  const { actor, project } = await manage(slug);
  const decision = Review.parse(review);
  const state = await refusalOf(() => decidePayReview(database(), actor, decision));
  refresh(project.slug);
  return state;
}

const settlings = { sent: sendPayout, paid: markPaid, cancelled: cancelPayout };
type Settling = keyof typeof settlings;

export async function settle(slug: string, payoutId: string, as: Settling): Promise<FormState> {
  const { actor, project } = await manage(slug);
  const state = await refusalOf(async () => {
    await settlings[z.enum(['sent', 'paid', 'cancelled']).parse(as)](database(), actor, {
      payoutId: z.uuid().parse(payoutId),
    });
  });
  refresh(project.slug);
  return state;
}
