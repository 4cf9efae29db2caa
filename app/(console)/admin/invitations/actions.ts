'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Before, Form, Id } from '@/app/_actions/action';
import { type FormState, refusalOf, submitForm } from '@/app/_actions/form-state';
import { database } from '@/db';
import { roles } from '@/db/schema';
import { readConfig } from '@/lib/config';
import { authorise } from '@/lib/services/access';
import { requireGrant } from '@/lib/services/access/authorise';
import { requireRight } from '@/lib/services/access/page';
import { createInvitation, revokeInvitation } from '@/lib/services/accounts';

const dayMs = 86_400_000;

const Input = z.object({
  /** A project's short name; empty for an admin of the instance. */
  project: z.string().max(63),
  email: z.union([z.literal(''), z.email('Write the whole address, or leave it empty.').max(254)]),
  seats: z.coerce
    .number('Write a number.')
    .int('Write a whole number.')
    .min(1, 'At least 1.')
    .max(10_000, 'At most 10 000.'),
  days: z.coerce.number().int().min(1).max(365),
});
const Roles = z.array(z.enum(roles));

export type MadeInvitation = FormState & { link?: string };

export const invite = action([Before, Form], async (_before, form): Promise<MadeInvitation> => {
  const actor = await requireRight('users.manage');
  const chosen = Roles.parse(form.getAll('roles'));
  let link: string | undefined;
  const state = await submitForm(Input, form, async ({ project: slug, email, seats, days }) => {
    const access = slug ? await authorise(database(), actor, 'members.manage', { project: slug }) : null;
    if (access) requireGrant(actor, access, chosen);
    const { token } = await createInvitation(database(), actor, {
      projectId: access?.project.id ?? null,
      roles: access ? chosen : [],
      makesAdmin: access === null,
      email: email || null,
      seats,
      expiresAt: new Date(Date.now() + days * dayMs),
    });
    link = `${readConfig().url}/join/${token}`;
  });
  revalidatePath('/admin/invitations');
  return { ...state, link };
});

export const withdraw = action([Id], async (invitationId): Promise<string | undefined> => {
  const actor = await requireRight('users.manage');
  const { error } = await refusalOf(() => revokeInvitation(database(), actor, { invitationId }));
  revalidatePath('/admin/invitations');
  return error;
});
