import type { Db } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import type { JobSpec } from '@/lib/core/training-spec';
import { RunClock } from './run-clock';

/** What the verdict of a run says that the platform has stopped. */
export const OUT_OF_TIME = 'out-of-time';

export class OutOfTime extends TesseraError {
  constructor(minutes: number) {
    super(
      'invalid',
      `The run has trained for the ${minutes} min it was given (resources.wallMinutes) and stopped with a checkpoint. Resume it with more time to go on.`,
    );
  }
}

/** The resources of a run with the minutes it has left; refuses one that has none. */
export async function withinTime(db: Db, runId: string, spec: JobSpec): Promise<JobSpec['resources']> {
  const { wallMinutes } = spec.resources;
  if (wallMinutes === null) return spec.resources;
  const spent = (await RunClock.open(db, runId)).spentMs() / 60_000;
  if (spent < wallMinutes) return { ...spec.resources, wallMinutes: wallMinutes - spent };
  throw new OutOfTime(wallMinutes);
}
