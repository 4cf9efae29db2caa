import { afterAll, beforeAll, beforeEach, inject } from 'vitest';
import { forgetVisitors } from '@/app/api/_http/bucket';
import { type Database, forgetDatabase } from '@/db';
import { cloneDatabase, type TestDatabase } from './server';

/**
 * A fresh, migrated database for the tests of one file, dropped after them:
 * `const db = useDatabase();` at the top, `db()` in the tests. `database()` of `@/db` finds it as well.
 */
export function useDatabase(): () => Database {
  let clone: TestDatabase | undefined;
  beforeAll(async () => {
    clone = await cloneDatabase(inject('adminUrl'));
    process.env.DATABASE_URL = clone.url;
  });
  // Each test starts with a full request allowance. On a fast machine the requests of a whole file exceed it.
  beforeEach(forgetVisitors);
  afterAll(async () => {
    // The next file of this process has another database.
    await forgetDatabase();
    forgetVisitors();
    await clone?.drop();
    delete process.env.DATABASE_URL;
  });
  return () => {
    if (!clone)
      throw new Error('The database is there from beforeAll on: call db() within a test or a hook.');
    return clone.db;
  };
}
