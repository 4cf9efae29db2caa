'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Before, Form, Id, Slug } from '@/app/_actions/action';
import { type FormState, refusalOf, submitForm } from '@/app/_actions/form-state';
import { database } from '@/db';
import { readConfig } from '@/lib/config';
import { requireGrant } from '@/lib/services/access';
import { pageProject } from '@/lib/services/access/page';
import { createInvitation, RealEmail, revokeInvitation } from '@/lib/services/accounts';
import { closeRecruitment, createRecruitment } from '@/lib/services/crowd/recruit';

const DAY = 86_400_000;
const count = (most: number) =>
  z.coerce.number('Write a number.').int().min(1, 'At least 1.').max(most, `At most ${most}.`);
const cohort = z.string().trim().max(80, 'At most 80 characters.');

const PoolLink = z.object({
  email: z.union([z.literal(''), RealEmail]),
  cohort,
  seats: count(10_000),
  days: count(365),
});

/** The link is shown once: only a hash of its secret is kept. */
export const invitePool = action(
  [Slug, Before, Form],
  async (slug, _before, form): Promise<FormState & { link?: string }> => {
    const { actor, ...access } = await pageProject(slug, 'members.manage');
    let link: string | undefined;
    const state = await submitForm(PoolLink, form, async ({ email, seats, days, ...group }) => {
      requireGrant(actor, access, ['worker']);
      const { token } = await createInvitation(database(), actor, {
        projectId: access.project.id,
        roles: ['worker'],
        email: email || null,
        cohort: group.cohort || null,
        seats: email ? 1 : seats,
        expiresAt: new Date(Date.now() + days * DAY),
      });
      link = `${readConfig().url}/join/${token}`;
    });
    revalidatePath(`/projects/${access.project.slug}/crowd/invite`);
    return { ...state, link };
  },
);

export const withdrawLink = action([Slug, Id], async (slug, invitationId): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'members.manage');
  const state = await refusalOf(() =>
    revokeInvitation(database(), actor, {
      invitationId,
      projectId: project.id,
    }),
  );
  revalidatePath(`/projects/${project.slug}/crowd/invite`);
  return state;
});

const code = z
  .string()
  .trim()
  .min(1, 'Copy it from the study.')
  .max(40)
  .regex(/^[A-Za-z0-9]+$/, 'Letters and digits only.');

const Study = z.object({
  externalId: z
    .string()
    .trim()
    .regex(
      /^[0-9a-f]{24}$/i,
      'A study id has 24 digits and letters a to f: it is in the address of the study.',
    ),
  cohort,
  finished: code,
  screenedOut: code,
  returned: code,
  batches: count(1000),
  currency: z.enum(['USD', 'GBP']),
});

export const addStudy = action([Slug, Before, Form], async (slug, _before, form): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'crowd.manage');
  const state = await submitForm(Study, form, async ({ externalId, batches, currency, ...study }) => {
    const { finished, screenedOut, returned } = study;
    await createRecruitment(database(), actor, {
      projectId: project.id,
      recruiter: 'prolific',
      externalId: externalId.toLowerCase(),
      cohort: study.cohort || null,
      settings: { codes: { finished, screenedOut, returned }, batches, currency },
    });
  });
  revalidatePath(`/projects/${project.slug}/crowd/invite`);
  return state;
});

export const closeStudy = action([Slug, Id], async (slug, recruitmentId): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'crowd.manage');
  const state = await refusalOf(async () => {
    const which = { recruitmentId, projectId: project.id };
    await closeRecruitment(database(), actor, which);
  });
  revalidatePath(`/projects/${project.slug}/crowd/invite`);
  return state;
});
