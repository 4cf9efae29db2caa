import { z } from 'zod';
import { appeal as object, requireOwnDecision } from '@/lib/services/crowd/trust';
import { endpoint } from '../../_http/endpoint';
import { id, moment } from '../../_http/fields';
import { afterLookup } from './after-lookup';

const text = afterLookup(
  z.strictObject({
    /** A UUID of your own making: the same id is the same appeal, however often it is sent. */
    id,
    text: z.string().trim().min(1).max(4000),
  }),
);

export const appealDecision = endpoint({
  method: 'POST',
  path: '/api/v1/work/decisions/{decision}/appeal',
  summary: 'Object to a decision about you, once; a curator answers',
  body: text.body,
  output: z.object({ appealId: id, createdAt: moment }),
  authorise: { inQuery: 'work.appeal' },
  handler: async ({ db, actor, params, body }) => {
    await requireOwnDecision(db, actor, params.decision);
    const { id: appealId, text: says } = text.parse(body);
    return object(db, actor, { decisionId: params.decision, appealId, text: says });
  },
});
