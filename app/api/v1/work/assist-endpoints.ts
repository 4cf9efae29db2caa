import { z } from 'zod';
import { AssistPrompt, prepareAssist, suggestMask } from '@/lib/services/assists';
import { requireOwnLease } from '@/lib/services/crowd/work';
import { endpoint } from '../../_http/endpoint';
import { afterLookup } from './after-lookup';

const side = z.number().int().positive();

export const readAssists = endpoint({
  method: 'GET',
  path: '/api/v1/work/leases/{lease}/assist',
  summary: 'Which smart tools there are for an item; the model begins to look at its picture',
  output: z.object({
    prompts: z.array(z.enum(['point', 'box', 'main-object'])),
    /** What is missing and who can switch it on. */
    notice: z.string().nullable(),
  }),
  authorise: { inQuery: 'work.finish' },
  handler: ({ db, actor, params }) => prepareAssist(db, actor, { leaseId: params.lease }),
});

const prompt = afterLookup(AssistPrompt);

export const askAssist = endpoint({
  method: 'POST',
  path: '/api/v1/work/leases/{lease}/assist',
  summary:
    'Show an object by clicks or a box, or ask for the main object or the outline of the project’s model, and get its mask as a suggestion',
  body: prompt.body,
  output: z.object({
    /** Compressed COCO counts of the upright image. */
    counts: z.string(),
    /** Height, width. */
    size: z.tuple([side, side]),
    ms: z.number().int(),
    model: z.string(),
  }),
  authorise: { inQuery: 'work.finish' },
  handler: async ({ db, actor, params, body }) => {
    await requireOwnLease(db, actor, params.lease);
    return suggestMask(db, actor, { leaseId: params.lease, prompt: prompt.parse(body) });
  },
});
