import { z } from 'zod';
import { TesseraError } from '@/lib/core/errors';
import { reclaimVisits, studiesWithVisits } from '@/lib/services/crowd/recruit';
import { COMPARE_JOB, compareAnswers } from '@/lib/services/crowd/signals/compare-answers';
import { CONFIRM_JOB, confirmWork } from '@/lib/services/crowd/trust/confirm-work';
import { askSomeFirstQuestions } from '@/lib/services/crowd/work';
import { rateLabels } from '@/lib/services/curation/audit/rate-labels';
import { actOnRun } from '@/lib/services/curation/consensus/build-consensus';
import { JOB } from '@/lib/services/curation/consensus/start-run';
import { jobHandler } from '@/lib/services/jobs';
import { applySchemaChange } from '@/lib/services/projects/schema';

/**
 * A job, because a project may begin to collect with a hundred thousand images. A transaction for some of them at a
 * time: what is asked stays asked when it is stopped, and nobody who changes an image waits for all the others.
 */
export const askQuestions = jobHandler({
  kind: 'ask-questions',
  input: z.object({ projectId: z.uuid() }),
  run: async ({ db, signal, progress }, { projectId }) => {
    let images = 0;
    for (let after: string | null = null; ; ) {
      signal.throwIfAborted();
      const page = await db.transaction((tx) => askSomeFirstQuestions(tx, { projectId, after }));
      if (page === null) return { images };
      after = page.last;
      images += page.images;
      await progress(images, null, 'Images asked about');
    }
  },
});

/** A job, because a project may have a hundred thousand images. */
export const changeSchema = jobHandler({
  kind: 'change-schema',
  input: z.object({ projectId: z.uuid(), from: z.uuid(), to: z.uuid(), askAgain: z.boolean() }),
  run: async ({ db, signal, progress }, input) => {
    await applySchemaChange(db, input, async (done, text) => {
      signal.throwIfAborted();
      await progress(done, null, text);
    });
    return undefined;
  },
});

/** Computes the probability that each label is wrong; the audit queue is ordered by it. */
export const rate = jobHandler({
  kind: 'rate-labels',
  input: z.object({ projectId: z.uuid(), all: z.boolean().default(false) }),
  run: rateLabels,
});

/** Both directions are one kind of job, so that they can never overtake each other in two queues. */
export const buildConsensus = jobHandler({
  kind: JOB,
  input: z.object({ runId: z.uuid(), act: z.enum(['build', 'take-back']) }),
  run: actOnRun,
});

/** One at a time: a segmentation model fills the cores. */
export const compare = jobHandler({
  kind: COMPARE_JOB,
  input: z.object({ projectId: z.uuid() }),
  atOnce: 1,
  run: compareAnswers,
});

/** Requests second answers to the earlier work of an unreliable worker. */
export const confirm = jobHandler({
  kind: CONFIRM_JOB,
  input: z.object({ projectId: z.uuid(), stageId: z.uuid(), workerId: z.uuid() }),
  run: ({ db }, input) => confirmWork(db, input),
});

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
