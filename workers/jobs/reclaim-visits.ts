import { z } from 'zod';
import { TesseraError } from '@/lib/core/errors';
import { reclaimVisits, studiesWithVisits } from '@/lib/services/crowd/recruit';
import { jobHandler } from '@/lib/services/jobs';

export const reclaim = jobHandler({
  kind: 'reclaim-visits',
  input: z.object({}),
  async run({ db, signal, progress, log }) {
    const studies = await studiesWithVisits(db);
    let ended = 0;
    for (const [n, study] of studies.entries()) {
      signal.throwIfAborted();
      // A marketplace that does not answer is asked again in a few minutes; the others need not wait for it.
      ended += await reclaimVisits(db, study).catch(async (error) => {
        if (!(error instanceof TesseraError)) throw error;
        await log('warn', error.message);
        return 0;
      });
      await progress(n + 1, studies.length);
    }
    return { studies: studies.length, ended };
  },
});
