import { z } from 'zod';
import { jobHandler } from '@/lib/services/jobs';
import { capabilitiesHere, installTrainer } from '@/lib/services/training/launch/python';
import { INSTALL_JOB, noteThisMachine } from '@/lib/services/training/trainers/installation';

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
    await noteThisMachine(db);
    const { python, torch } = await capabilitiesHere();
    return { python, torch };
  },
});
