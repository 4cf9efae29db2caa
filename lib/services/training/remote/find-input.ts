import type { Db } from '@/db';
import { notFound } from '@/lib/core/errors';
import { type Hold, heldRun, type Trainer } from './lease';
import { CHECKPOINT } from './receive-file';
import { listInputs } from './run-inputs';

/** The blob of a file that the trainer of a run needs: the spec, the snapshot, the last checkpoint. */
export async function findInput(db: Db, trainer: Trainer, hold: Hold, path: string): Promise<string> {
  const run = await heldRun(db, trainer, hold);
  const sha256 =
    path === CHECKPOINT
      ? run.checkpoint
      : (await listInputs(db, hold.runId)).find((input) => input.path === path)?.sha256;
  if (!sha256) throw notFound('file');
  return sha256;
}
