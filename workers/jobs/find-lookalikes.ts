import { z } from 'zod';
import { findLookalikes } from '@/lib/services/images/lookalikes';
import { jobHandler } from '@/lib/services/jobs';

export const lookalikes = jobHandler({
  kind: 'find-lookalikes',
  input: z.object({ projectId: z.uuid() }),
  run: findLookalikes,
});
