import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { and, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { database, tables } from '@/db';
import { storage } from '@/lib/services/storage';
import { publishInputs } from '../remote/run-inputs';
import { keepCheckpoint } from '../runs/keep-events';
import type { Launcher, Status } from './launcher';

const { jobs, runs } = tables;

const WAITS = 'Waits for a trainer elsewhere that fits; Instance → Workers shows which there are';

/** The job directory of a run is named after it. */
const runOf = (folder: string): string => path.basename(folder);

/** Machines that ask for runs over HTTP (`tessera worker --gpu`): submitting is offering, and who takes it holds a lease. */
export const remoteLauncher: Launcher = {
  outlivesWorker: true,
  speaksItself: true,
  trainer: null,

  // What each can do is known when it asks: a run waits on offer, not for somebody to be there.
  capabilities: async () => ({
    python: null,
    torch: null,
    gpus: [],
    processors: 0,
    memoryGb: 0,
    missing: null,
  }),

  async submit(folder) {
    const db = database();
    const runId = runOf(folder);
    // What an attempt on this machine has left is newer than what the store has.
    if (existsSync(path.join(folder, 'checkpoints', 'last.pt')))
      await keepCheckpoint(db, storage(), runId, folder);
    for (const left of ['checkpoints', 'artifacts', 'events.jsonl', 'log.txt'])
      await rm(path.join(folder, left), { recursive: true, force: true });
    await publishInputs(db, storage(), runId, folder);
    await db
      .update(runs)
      .set({ state: 'queued', leasedUntil: null, result: null })
      // A trainer that was given up and is back just now keeps its run.
      .where(
        and(
          eq(runs.id, runId),
          inArray(runs.state, ['queued', 'running']),
          or(isNull(runs.leasedUntil), lt(runs.leasedUntil, sql`now()`)),
          // A verdict may have come since anybody looked.
          sql`coalesce(${runs.result} ->> 'state' in ('canceled', 'preempted'), true)`,
        ),
      );
    return { name: folder };
  },

  async adopt(folder) {
    const found = await look(runOf(folder));
    const isOpen = found?.state === 'queued' || found?.state === 'running';
    return isOpen && (found.isLeased || found.isDecided) ? { name: folder } : null;
  },

  async status({ name }): Promise<Status> {
    const found = await look(runOf(name));
    if (!found || found.hasResult) return { state: 'gone', code: null };
    if (found.isLeased) return { state: 'running' };
    // The lease is over without a word, or there is none and nobody is to take it any more.
    return found.hadLease || found.cancelled
      ? { state: 'gone', code: null }
      : { state: 'queued', text: WAITS };
  },

  // The answer to the next heartbeat says so; a trainer that does not come back loses its lease.
  stop: async () => {},
};

async function look(runId: string) {
  const [found] = await database()
    .select({
      state: runs.state,
      hasResult: sql<boolean>`${runs.result} is not null`,
      /** There is a verdict that somebody has to act on; one that was stopped goes on instead. */
      isDecided: sql<boolean>`coalesce(${runs.result} ->> 'state' in ('succeeded', 'failed'), false)`,
      hadLease: sql<boolean>`${runs.leasedUntil} is not null`,
      isLeased: sql<boolean>`coalesce(${runs.leasedUntil} >= now(), false)`,
      cancelled: sql<boolean>`coalesce(${jobs.cancelRequested}, false)`,
    })
    .from(runs)
    .leftJoin(jobs, eq(jobs.id, runs.jobId))
    .where(eq(runs.id, runId));
  return found;
}
