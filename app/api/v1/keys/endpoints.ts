import { z } from 'zod';
import { scopeIds } from '@/lib/services/access';
import { createKey as create, listKeys as list, revokeKey as revoke } from '@/lib/services/access/keys';
import { endpoint } from '../../_http/endpoint';
import { futureMoment, id, moment, personName } from '../../_http/fields';

const Key = z.object({
  id,
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.enum(scopeIds)),
  createdAt: moment,
  lastUsedAt: moment.nullable(),
  expiresAt: moment.nullable(),
  revokedAt: moment.nullable(),
});

export const listKeys = endpoint({
  method: 'GET',
  path: '/api/v1/keys',
  summary: 'Your API keys',
  output: z.object({ items: z.array(Key) }),
  authorise: 'account.manage',
  handler: async ({ db, actor }) => ({ items: await list(db, actor) }),
});

export const createKey = endpoint({
  method: 'POST',
  path: '/api/v1/keys',
  summary: 'Make an API key; the key itself is shown in this answer only',
  body: z.strictObject({
    name: personName,
    scopes: z.array(z.enum(scopeIds)).min(1),
    expiresAt: futureMoment.nullable().default(null),
  }),
  output: Key.extend({ key: z.string() }),
  status: 201,
  authorise: 'account.manage',
  handler: ({ db, actor, body }) => create(db, actor, body),
});

export const revokeKey = endpoint({
  method: 'DELETE',
  path: '/api/v1/keys/{key}',
  summary: 'Revoke one of your API keys',
  output: null,
  authorise: 'account.manage',
  handler: ({ db, actor, params }) => revoke(db, actor, params.key),
});
