import { z } from 'zod';
import { roles } from '@/db/schema';
import { readConfig } from '@/lib/config';
import { requireGrant } from '@/lib/services/access';
import {
  addMember as add,
  createInvitation,
  listMembers as list,
  listInvitations,
  removeMember as remove,
  revokeInvitation,
} from '@/lib/services/accounts';
import { endpoint } from '../../_http/endpoint';
import { id, moment } from '../../_http/fields';
import { decodeCursor, idPosition, pageOf, pageQuery, toPage } from '../../_http/pagination';
import { Invitation, joinLink, MadeInvitation, NewInvitation } from '../invitations/fields';

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
    const rows = await list(db, access.project.id, { limit: limit + 1, after });
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
    const rows = await listInvitations(db, { projectId: access.project.id, limit: limit + 1, before });
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
    revokeInvitation(db, actor, { invitationId: params.invitation, projectId: access.project.id }),
});
