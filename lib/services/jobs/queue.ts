import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'drizzle-orm';
import { type Db as BossDatabase, type Clock, fromDrizzle, PgBoss } from 'pg-boss';
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
