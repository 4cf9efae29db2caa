import { z } from 'zod';
import { roles } from '@/db/schema';
import { readConfig } from '@/lib/config';
import { invalid } from '@/lib/core/errors';
import { requireScope } from '@/lib/services/access';
import {
  acceptInvitation as accept,
  createInvitation,
  findInvitation,
  listInvitations as list,
  Pseudonym,
  RealEmail,
  revokeInvitation as revoke,
} from '@/lib/services/accounts';
import { endpoint } from '../../_http/endpoint';
import { id, moment, password, personName } from '../../_http/fields';
import { decodeCursor, idPosition, pageOf, pageQuery, toPage } from '../../_http/pagination';
import { Invitation, joinLink, MadeInvitation, NewInvitation } from './fields';

export const listInvitations = endpoint({
  method: 'GET',
  path: '/api/v1/invitations',
  summary: 'All invitations of the instance, newest first',
  query: pageQuery,
  output: pageOf(Invitation),
  authorise: 'users.manage',
  handler: async ({ db, query: { limit, cursor } }) => {
    const before = decodeCursor(idPosition, cursor)?.[0];
    const rows = await list(db, { limit: limit + 1, before });
    return toPage(rows, limit, (row) => [row.id]);
  },
});

export const inviteAdmin = endpoint({
  method: 'POST',
  path: '/api/v1/invitations',
  summary: 'Invite an instance admin',
  body: NewInvitation,
  output: MadeInvitation,
  status: 201,
  authorise: 'users.manage',
  handler: async ({ db, actor, body }) => {
    const made = await createInvitation(db, actor, { ...body, projectId: null, roles: [], makesAdmin: true });
    return { ...made, project: null, link: joinLink(readConfig().url, made.token) };
  },
});

export const revokeInvitation = endpoint({
  method: 'DELETE',
  path: '/api/v1/invitations/{invitation}',
  summary: 'Withdraw an invitation',
  output: null,
  authorise: 'users.manage',
  handler: ({ db, actor, params }) => revoke(db, actor, { invitationId: params.invitation }),
});

const token = z.string().min(1).max(100);

export const lookAtInvitation = endpoint({
  method: 'POST',
  path: '/api/v1/invitations/look',
  summary: 'What an invitation offers, by its token',
  // In the body, because addresses end up in logs.
  body: z.strictObject({ token }),
  output: z.object({
    project: z.object({ slug: z.string(), name: z.string(), description: z.string() }).nullable(),
    roles: z.array(z.enum(roles)),
    makesAdmin: z.boolean(),
    email: z.string().nullable(),
    expiresAt: moment,
  }),
  authorise: 'public',
  handler: ({ db, body }) => findInvitation(db, body.token),
});

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/v1/invitations/accept',
  summary: 'Join: as the person who is signed in, or with a new account',
  body: z.strictObject({
    token,
    account: z
      .union([
        z.strictObject({ name: personName, email: RealEmail, password }),
        /** Without an e-mail address: the pseudonym is the name, and what one signs in with. */
        z.strictObject({ pseudonym: Pseudonym, password }),
      ])
      .optional(),
  }),
  output: z.object({ userId: id, email: z.string(), projectId: id.nullable() }),
  authorise: 'public',
  handler: ({ db, actor, body, requestId }) => {
    if (actor) {
      requireScope(actor, 'account.manage');
      if (body.account) throw invalid('You are signed in: accept as yourself, or sign out first.');
      return accept(db, body.token, { actor });
    }
    if (!body.account)
      throw invalid(
        'Sign in, or give a name, an e-mail address and a password, or a pseudonym and a password.',
      );
    return accept(db, body.token, { account: body.account, requestId });
  },
});
