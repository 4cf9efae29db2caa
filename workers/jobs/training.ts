import { z } from 'zod';
import { jobHandler } from '@/lib/services/jobs';
import { capabilitiesHere, installTrainer } from '@/lib/services/training/launch/python';
import { TRAIN_ELSEWHERE_JOB, TRAIN_JOB, TRAIN_SLURM_JOB } from '@/lib/services/training/runs/start-run';
import { superviseRun } from '@/lib/services/training/runs/supervise-run';
import { CALIBRATE_JOB, calibrate } from '@/lib/services/training/trainers/calibration';
import { INSTALL_JOB, recordThisMachine } from '@/lib/services/training/trainers/installation';

/** One at a time: a run uses every processor there is. */
export const trainRun = jobHandler({
  kind: TRAIN_JOB,
  input: z.object({ runId: z.uuid() }),
  atOnce: 1,
  run: (context, input) => superviseRun(context, input),
});

/** Many at a time: they wait for Slurm, and use nothing of this machine. */
export const trainRunSlurm = jobHandler({
  kind: TRAIN_SLURM_JOB,
  input: z.object({ runId: z.uuid() }),
  atOnce: 100,
  run: (context, input) => superviseRun(context, input),
});

/** Many at a time: they wait for a trainer elsewhere, and use nothing of this machine. */
export const trainRunElsewhere = jobHandler({
  kind: TRAIN_ELSEWHERE_JOB,
  input: z.object({ runId: z.uuid() }),
  atOnce: 100,
  run: (context, input) => superviseRun(context, input),
});

/** Fetches PyTorch while people annotate; runs that wait for it begin when it is there. */
export const installPyTorch = jobHandler({
  kind: INSTALL_JOB,
  input: z.object({}),
  atOnce: 1,
  async run({ db, progress, log, signal }) {
    await installTrainer(
      {
        step: (text) => log('info', text),
        say: (text, percent) =>
          progress(Math.round(percent ?? 0), percent === undefined ? null : 100, text.slice(0, 200)),
      },
      signal,
    );
    await recordThisMachine(db);
    const { python, torch } = await capabilitiesHere();
    return { python, torch };
  },
});

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
