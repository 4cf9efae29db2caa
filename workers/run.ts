import { setTimeout as wait } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import { type Database, database, isDatabaseGone } from '@/db';
import { scheduleReclaiming } from '@/lib/services/crowd/recruit';
import { compareDue } from '@/lib/services/crowd/signals/compare-answers';
import { settleOverdueLateAnswers } from '@/lib/services/crowd/work';
import type { JobHandler } from '@/lib/services/jobs';
import { scheduleCollection } from '@/lib/services/jobs';
import { reconcileJobs } from '@/lib/services/jobs/control-job';
import { declareQueues, type QueueOptions } from '@/lib/services/jobs/queue';
import { log } from '@/lib/services/observability/log';
import { type Storage, storage } from '@/lib/services/storage';
import { selectDue } from '@/lib/services/training/loop/select-next';
import { settleOrphanedRuns } from '@/lib/services/training/runs/resume-run';
import { TRAIN_JOB } from '@/lib/services/training/runs/start-run';
import { recordThisMachine } from '@/lib/services/training/trainers/installation';
import { jobHandlers } from './jobs';
import { runJob } from './run-job';

export interface WorkerOptions {
  /** Aborting it stops the worker: running jobs are interrupted and taken up again by the next. */
  signal: AbortSignal;
  db?: Database;
  storage?: Storage;
  handlers?: readonly JobHandler[];
  /** Takers per kind of job. Each takes up to two jobs at once. */
  concurrency?: number;
  /** Rules of delivery other than the usual. */
  queue?: QueueOptions;
}

const housekeepingMs = 10_000;
const noteMs = 60_000;
const stopWithinMs = 15_000;
const reconnectMs = 1_000;

/** Works until it is told to stop. Any number of workers may run on one database. */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { signal, db = database(), handlers = jobHandlers, concurrency = 2 } = options;
  const kinds = handlers.map((handler) => handler.kind);
  const runner = { db, storage: options.storage ?? storage(), stopping: signal };
  const boss = await openQueue(db, kinds, options);
  if (!boss) return;
  try {
    for (const handler of handlers) await offer(boss, handler, runner, concurrency);
    log.info({ kinds }, 'the worker is ready');
    if (kinds.includes(TRAIN_JOB)) void keepNoted(db, signal);
    await keepHouse(db, signal);
  } finally {
    await boss.stop({ graceful: true, timeout: stopWithinMs });
  }
}

/** The queue with everything declared; null when the worker was stopped before the database answered. */
async function openQueue(
  db: Database,
  kinds: readonly string[],
  { signal, queue }: WorkerOptions,
): Promise<PgBoss | null> {
  while (!signal.aborted) {
    const boss = new PgBoss({
      connectionString: db.$client.options.connectionString,
      max: 4,
      schedule: false,
      // How soon a dead worker is noticed beyond its heartbeat, in seconds.
      superviseIntervalSeconds: 1,
      monitorIntervalSeconds: 1,
      useListenNotify: true,
    });
    boss.on('error', (error) => log.error({ err: error }, 'the queue reports an error'));
    boss.on('warning', (warning) => log.warn({ warning }, 'the queue warns'));
    try {
      await boss.start();
      await declareQueues(boss, kinds, queue);
      return boss;
    } catch (error) {
      await boss.stop({ graceful: false }).catch(() => {});
      if (!isDatabaseGone(error)) throw error;
      log.warn({ err: error }, 'the database does not answer; the worker tries again');
      await wait(reconnectMs, undefined, { signal }).catch(() => {});
    }
  }
  return null;
}

async function offer(
  boss: PgBoss,
  handler: JobHandler,
  runner: Parameters<typeof runJob>[0],
  concurrency: number,
): Promise<void> {
  const { atOnce } = handler;
  const limits = atOnce ? { batchSize: 1, localConcurrency: atOnce } : { localConcurrency: concurrency };
  // Every taker asks for itself: a hundred of them ask seldom, and are told by the queue of what is new.
  const asking = (atOnce ?? 1) > 10 ? { pollingIntervalSeconds: 15, notifyPollingIntervalSeconds: 15 } : {};
  await boss.work(handler.kind, { ...taking, ...limits, ...asking }, (jobs) =>
    Promise.all(jobs.map((job) => runJob(runner, handler, job))),
  );
}

/** A taker fetches once per interval unless its last fetch was full, which with one job at a time never counts. */
const taking = {
  batchSize: 2,
  burstWhenBatchFull: true,
  perJobResults: true,
  includeMetadata: true,
  pollingIntervalSeconds: 1,
  notifyPollingIntervalSeconds: 1,
  // How soon a handler learns that its job was cancelled.
  heartbeatRefreshSeconds: 2,
} as const;

/** Beside the rest: asking Python what it can do takes seconds. */
async function keepNoted(db: Database, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await recordThisMachine(db).catch((error) => {
      // Nobody waits for it when the worker stops: the database may be closed by then.
      if (!signal.aborted) log.error({ err: error }, 'this machine could not be noted');
    });
    await wait(noteMs, undefined, { signal }).catch(() => {});
  }
}

/** What no single job is responsible for. A fault here is no reason to stop working. */
async function keepHouse(db: Database, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await reconcileJobs(db);
      await settleOrphanedRuns(db);
      await scheduleCollection(db);
      await scheduleReclaiming(db);
      await selectDue(db);
      await settleOverdueLateAnswers(db);
      await compareDue(db);
    } catch (error) {
      log.error({ err: error }, 'housekeeping failed');
    }
    await wait(housekeepingMs, undefined, { signal }).catch(() => {});
  }
}
