import { z } from 'zod';
import { roles } from '@/db/schema';
import { email, futureMoment, id, moment } from '../../_http/fields';

export const Invitation = z.object({
  id,
  project: z.string().nullable(),
  roles: z.array(z.enum(roles)),
  makesAdmin: z.boolean(),
  email: z.string().nullable(),
  cohort: z.string().nullable(),
  seats: z.number().int(),
  used: z.number().int(),
  expiresAt: moment,
  revokedAt: moment.nullable(),
  createdAt: moment,
});

export const MadeInvitation = Invitation.extend({
  /** Shown in this answer only. */
  token: z.string(),
  /** The address to send to the person. */
  link: z.string(),
});

export const NewInvitation = z.strictObject({
  /** Only the holder of this address may accept; null: whoever has the link. */
  email: email.nullable().default(null),
  /** The group of people that those who join belong to. */
  cohort: z.string().trim().min(1).max(80).nullable().default(null),
  seats: z.number().int().min(1).max(10_000).default(1),
  expiresAt: futureMoment,
});

export const joinLink = (url: string, token: string) => `${url}/join/${token}`;
