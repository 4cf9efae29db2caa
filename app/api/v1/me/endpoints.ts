import { z } from 'zod';
import { projectStates, roles } from '@/db/schema';
import { scopeIds } from '@/lib/services/access';
import { myRoles } from '@/lib/services/accounts';
import { endpoint } from '../../_http/endpoint';
import { id } from '../../_http/fields';

const Me = z.object({
  id,
  name: z.string(),
  email: z.string(),
  isAdmin: z.boolean(),
  via: z.enum(['session', 'key']),
  /** Null: no limit but the person's own rights. */
  scopes: z.array(z.enum(scopeIds)).nullable(),
  projects: z.array(
    z.object({
      project: z.string(),
      name: z.string(),
      state: z.enum(projectStates),
      roles: z.array(z.enum(roles)),
    }),
  ),
});

export const getMe = endpoint({
  method: 'GET',
  path: '/api/v1/me',
  summary: 'Who you are, by which key or session, and your roles',
  output: Me,
  authorise: 'me.read',
  handler: async ({ db, actor }) => ({
    ...actor,
    id: actor.userId,
    scopes: actor.scopes ? [...actor.scopes] : null,
    projects: await myRoles(db, actor),
  }),
});
