import { z } from 'zod';
import {
  listSessions as list,
  revokeSession as revoke,
  revokeOtherSessions,
} from '@/lib/services/access/sessions';
import { endpoint } from '../../_http/endpoint';
import { id, moment } from '../../_http/fields';

const Session = z.object({
  id,
  ipAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
  createdAt: moment,
  expiresAt: moment,
  isCurrent: z.boolean(),
});

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/v1/sessions',
  summary: 'Where you are signed in',
  output: z.object({ items: z.array(Session) }),
  authorise: 'account.manage',
  handler: async ({ db, actor }) => ({ items: await list(db, actor) }),
});

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/api/v1/sessions',
  summary: 'Sign out everywhere but here',
  output: z.object({ ended: z.number().int() }),
  authorise: 'account.manage',
  handler: async ({ db, actor }) => ({ ended: await revokeOtherSessions(db, actor) }),
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/v1/sessions/{session}',
  summary: 'End one of your sessions',
  output: null,
  authorise: 'account.manage',
  handler: ({ db, actor, params }) => revoke(db, actor, params.session),
});
