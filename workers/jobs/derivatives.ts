import { z } from 'zod';
import { makeDerivatives } from '@/lib/services/images/derivatives';
import { jobHandler } from '@/lib/services/jobs';

export const derivatives = jobHandler({
  kind: 'derivatives',
  input: z.object({ projectId: z.uuid() }),
  run: makeDerivatives,
});
