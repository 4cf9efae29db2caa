import { z } from 'zod';

/** Who started a job, as far as the audit log writes it down. */
export const Author = z.union([
  z.object({ kind: z.literal('system'), name: z.string() }),
  z.object({
    kind: z.literal('user'),
    userId: z.uuid(),
    name: z.string(),
    via: z.enum(['session', 'key']),
    requestId: z.string().nullable(),
  }),
]);
