import { z } from 'zod';
import { roles } from '@/db/schema';
import { readConfig } from '@/lib/config';
import { invalid } from '@/lib/core/errors';
import { requireGrant, requireScope } from '@/lib/services/access';
import {
  acceptInvitation as accept,
  addMember as add,
  createInvitation,
  findInvitation,
  listInvitations as invitationsOf,
  listMembers as membersOf,
  Pseudonym,
  RealEmail,
  removeMember as remove,
  revokeInvitation as revoke,
  updateUser as update,
  listUsers as usersOf,
} from '@/lib/services/accounts';
import { endpoint } from '../_http/endpoint';
import {
  decodeCursor,
  email,
  futureMoment,
  id,
  idPosition,
  moment,
  pageOf,
  pageQuery,
  password,
  personName,
  toPage,
} from '../_http/fields';

const Invitation = z.object({
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

const MadeInvitation = Invitation.extend({
  /** Shown in this answer only. */
  token: z.string(),
  /** The address to send to the person. */
  link: z.string(),
});

const NewInvitation = z.strictObject({
  /** Only the owner of this address can accept; null: anyone with the link. */
  email: email.nullable().default(null),
  /** The group of people that those who join belong to. */
  cohort: z.string().trim().min(1).max(80).nullable().default(null),
  seats: z.number().int().min(1).max(10_000).default(1),
  expiresAt: futureMoment,
});

const joinLink = (url: string, token: string) => `${url}/join/${token}`;

export const listInvitations = endpoint({
  method: 'GET',
  path: '/api/v1/invitations',
  summary: 'All invitations of the instance, newest first',
  query: pageQuery,
  output: pageOf(Invitation),
  authorise: 'users.manage',
  handler: async ({ db, query: { limit, cursor } }) => {
    const before = decodeCursor(idPosition, cursor)?.[0];
    const rows = await invitationsOf(db, { limit: limit + 1, before });
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

const role = z.enum(roles);

const Member = z.object({
  userId: id,
  name: z.string(),
  email: z.string(),
  isDisabled: z.boolean(),
  roles: z.array(role),
  since: moment,
});

export const listMembers = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/members',
  summary: 'The people of a project and their roles',
  query: pageQuery,
  output: pageOf(Member),
  authorise: 'members.read',
  handler: async ({ db, access, query: { limit, cursor } }) => {
    const after = decodeCursor(idPosition, cursor)?.[0];
    const rows = await membersOf(db, access.project.id, { limit: limit + 1, after });
    return toPage(rows, limit, (row) => [row.userId]);
  },
});

export const addMember = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/members',
  summary: 'Give somebody who has an account a role in the project',
  body: z.strictObject({ userId: id, role }),
  output: null,
  authorise: 'members.manage',
  handler: async ({ db, actor, access, body }) => {
    requireGrant(actor, access, [body.role]);
    return add(db, actor, { projectId: access.project.id, ...body });
  },
});

export const removeMember = endpoint({
  method: 'DELETE',
  path: '/api/v1/projects/{project}/members/{user}',
  summary: 'Take a role in the project from somebody',
  query: z.strictObject({ role }),
  output: null,
  authorise: 'members.manage',
  handler: async ({ db, actor, access, params, query }) => {
    requireGrant(actor, access, [query.role]);
    return remove(db, actor, { projectId: access.project.id, userId: params.user, role: query.role });
  },
});

export const listProjectInvitations = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/invitations',
  summary: 'The invitations to a project, newest first',
  query: pageQuery,
  output: pageOf(Invitation),
  authorise: 'members.read',
  handler: async ({ db, access, query: { limit, cursor } }) => {
    const before = decodeCursor(idPosition, cursor)?.[0];
    const rows = await invitationsOf(db, { projectId: access.project.id, limit: limit + 1, before });
    return toPage(rows, limit, (row) => [row.id]);
  },
});

export const inviteToProject = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/invitations',
  summary: 'Invite one or many people to a project; the token is shown in this answer only',
  body: NewInvitation.extend({ roles: z.array(role).min(1) }),
  output: MadeInvitation,
  status: 201,
  authorise: 'members.manage',
  handler: async ({ db, actor, access, body }) => {
    requireGrant(actor, access, body.roles);
    const made = await createInvitation(db, actor, { ...body, projectId: access.project.id });
    return { ...made, project: access.project.slug, link: joinLink(readConfig().url, made.token) };
  },
});

export const revokeProjectInvitation = endpoint({
  method: 'DELETE',
  path: '/api/v1/projects/{project}/invitations/{invitation}',
  summary: 'Withdraw an invitation to a project',
  output: null,
  authorise: 'members.manage',
  handler: ({ db, actor, access, params }) =>
    revoke(db, actor, { invitationId: params.invitation, projectId: access.project.id }),
});

const User = z.object({
  id,
  name: z.string(),
  email: z.string(),
  isAdmin: z.boolean(),
  disabledAt: moment.nullable(),
  createdAt: moment,
});

export const listUsers = endpoint({
  method: 'GET',
  path: '/api/v1/users',
  summary: 'Everybody with an account, and their roles',
  query: pageQuery.extend({ search: z.string().trim().min(1).max(100).optional() }),
  output: pageOf(User.extend({ roles: z.array(z.object({ project: z.string(), role: z.enum(roles) })) })),
  authorise: 'users.manage',
  handler: async ({ db, query: { limit, cursor, search } }) => {
    const after = decodeCursor(idPosition, cursor)?.[0];
    return toPage(await usersOf(db, { limit: limit + 1, after, search }), limit, (user) => [user.id]);
  },
});

export const updateUser = endpoint({
  method: 'PATCH',
  path: '/api/v1/users/{user}',
  summary: 'Make or unmake an admin, disable or enable an account',
  body: z
    .strictObject({ isAdmin: z.boolean().optional(), isDisabled: z.boolean().optional() })
    .refine((change) => Object.keys(change).length > 0, 'Say what to change.'),
  output: User,
  authorise: 'users.manage',
  handler: ({ db, actor, params, body }) => update(db, actor, params.user, body),
});
