import { z } from 'zod';
import { makeDerivatives } from '@/lib/images/make-derivatives';
import { jobHandler } from '@/lib/jobs';

export const derivatives = jobHandler({
  kind: 'derivatives',
  input: z.object({ projectId: z.uuid() }),
  run: makeDerivatives,
});
