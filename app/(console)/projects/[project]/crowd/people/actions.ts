'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Before, Form, Id, Slug } from '@/app/_actions/action';
import { type FormState, refusalOf, submitForm } from '@/app/_actions/form-state';
import { database } from '@/db';
import { roles } from '@/db/schema';
import { readConfig } from '@/lib/config';
import { requireGrant } from '@/lib/services/access';
import { pageProject } from '@/lib/services/access/page';
import { createInvitation, removeMember } from '@/lib/services/accounts';

const DAY = 86_400_000;

const Invitation = z.object({
  role: z.enum(roles, 'Choose a role.'),
  email: z.union([z.literal(''), z.email('Write the whole address: name@example.org.').max(254)]),
  seats: z.coerce.number('Write a number.').int().min(1, 'At least 1.').max(10_000, 'At most 10,000.'),
  days: z.coerce.number('Write a number.').int().min(1, 'At least 1.').max(365, 'At most 365.'),
});

/** The link is shown once: only a hash of its secret is kept. */
export const invite = action(
  [Slug, Before, Form],
  async (slug, _before, form): Promise<FormState & { link?: string }> => {
    const { actor, ...access } = await pageProject(slug, 'members.manage');
    let link: string | undefined;
    const state = await submitForm(Invitation, form, async ({ role, email, seats, days }) => {
      requireGrant(actor, access, [role]);
      const { token } = await createInvitation(database(), actor, {
        projectId: access.project.id,
        roles: [role],
        email: email || null,
        seats: email ? 1 : seats,
        expiresAt: new Date(Date.now() + days * DAY),
      });
      link = `${readConfig().url}/join/${token}`;
    });
    return { ...state, link };
  },
);

export const removeRole = action(
  [Slug, Id, z.string().pipe(z.enum(roles))],
  async (slug, userId, role): Promise<FormState> => {
    const { actor, ...access } = await pageProject(slug, 'members.manage');
    const state = await refusalOf(async () => {
      const taken = role;
      requireGrant(actor, access, [taken]);
      const member = { projectId: access.project.id, userId, role: taken };
      await removeMember(database(), actor, member);
    });
    revalidatePath(`/projects/${access.project.slug}/crowd`, 'layout');
    return state;
  },
);
