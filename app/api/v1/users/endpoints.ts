import { z } from 'zod';
import { roles } from '@/db/schema';
import { listUsers as list, updateUser as update } from '@/lib/services/accounts';
import { endpoint } from '../../_http/endpoint';
import { id, moment } from '../../_http/fields';
import { decodeCursor, idPosition, pageOf, pageQuery, toPage } from '../../_http/pagination';

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
    return toPage(await list(db, { limit: limit + 1, after, search }), limit, (user) => [user.id]);
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
