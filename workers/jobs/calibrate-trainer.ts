import { z } from 'zod';
import { jobHandler } from '@/lib/services/jobs';
import { CALIBRATE_JOB, calibrate } from '@/lib/services/training/trainers/calibration';

/** One minute in which this machine trains on noise, so that estimates are its own. */
export const calibrateTrainer = jobHandler({
  kind: CALIBRATE_JOB,
  input: z.object({ preset: z.string() }),
  atOnce: 1,
  async run({ db, signal, progress }, { preset }) {
    await progress(0, null, 'Training on noise for a minute');
    return calibrate(db, { preset, signal });
  },
});
