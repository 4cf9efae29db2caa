import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'drizzle-orm';
import { type Db as BossDatabase, type Clock, fromDrizzle, PgBoss, type Queue } from 'pg-boss';
import type { Db } from '@/db';

/**
 * pg-boss as an author of SQL only: it has no connection of its own here, every statement runs in the
 * transaction of the caller. So a job exists exactly when the data it is about does.
 */
const current = new AsyncLocalStorage<Db>();

const callersTransaction: BossDatabase = {
  executeSql(text, values) {
    const db = current.getStore();
    if (!db) throw new Error('The queue is used outside of withQueue.');
    return fromDrizzle(db, sql).executeSql(text, values);
  },
};

/** No background work: an interval would run outside of any transaction and keep the process alive. */
const withoutTimers: Clock = {
  now: () => Date.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
  setInterval: () => undefined,
  clearInterval: () => undefined,
};

let author: PgBoss | undefined;

export async function withQueue<T>(db: Db, use: (queue: PgBoss) => Promise<T>): Promise<T> {
  return current.run(db, async () => {
    author ??= new PgBoss({
      db: callersTransaction,
      clock: withoutTimers,
      supervise: false,
      schedule: false,
      migrate: false,
    });
    return use(await author.start());
  });
}

export type QueueOptions = Omit<Queue, 'name' | 'partition'>;

const day = 24 * 60 * 60;

/** The delivery rules that every kind of job gets. Times in seconds. */
export const queueOptions: QueueOptions = {
  policy: 'standard',
  /** A worker without a heartbeat for this long is dead (pg-boss requires at least 10). */
  heartbeatSeconds: 10,
  /** Death is told by the heartbeat, so that a long job needs no deadline; this is the most there is. */
  expireInSeconds: day,
  retryLimit: 4,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 300,
  /** How long a failed job can be retried by hand: pg-boss keeps its input. */
  deleteAfterSeconds: 30 * day,
  retentionSeconds: 30 * day,
  notify: true,
};

/** Makes the queue's own tables, and a queue per kind of job. Safe to repeat, and to run in parallel. */
export async function installQueues(
  url: string,
  kinds: readonly string[],
  options: QueueOptions = queueOptions,
): Promise<void> {
  const boss = new PgBoss({ connectionString: url, max: 1, supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  try {
    await declareQueues(boss, kinds, options);
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** A queue that is there gets the rules of this release. */
export async function declareQueues(
  boss: PgBoss,
  kinds: readonly string[],
  options: QueueOptions = queueOptions,
): Promise<void> {
  const { policy: _, ...changeable } = options;
  for (const kind of kinds) {
    await boss.createQueue(kind, options);
    await boss.updateQueue(kind, changeable);
  }
}
