import type { Database } from '@/db';

/** How many statements reach the database while something runs on the pool, not in a transaction. */
export async function countStatements(db: Database, run: () => Promise<unknown>): Promise<number> {
  const pool = db.$client;
  const original = pool.query;
  let n = 0;
  pool.query = ((...args: Parameters<typeof original>) => {
    n += 1;
    return original.apply(pool, args);
  }) as typeof original;
  try {
    await run();
  } finally {
    pool.query = original;
  }
  return n;
}
