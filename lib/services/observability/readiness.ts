import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import type { Database } from '@/db';
import journal from '@/db/migrations/meta/_journal.json';
import { readConfig } from '@/lib/config';
import { storage } from '@/lib/services/storage';
import { draining } from './current-work';

type Check = (db: Database) => Promise<string | null>;

/** A reason why this process cannot serve, or null. A new need is one line here. */
const checks: Record<string, Check> = {
  process: async () => (draining().aborted ? 'It is about to stop.' : null),
  database: async (db) => {
    await db.execute(sql`select 1`);
    return null;
  },
  // Also while another process migrates: the new entry appears with its last statement.
  migrations: async (db) => {
    const { rows } = await db.execute<{ last: string | null }>(
      sql`select max(created_at) as last from drizzle.__drizzle_migrations`,
    );
    const wanted = Math.max(...journal.entries.map((entry) => entry.when));
    return Number(rows[0]?.last ?? 0) >= wanted
      ? null
      : 'The database is older than this release: migrate it.';
  },
  storage: async () => {
    const probe = path.join(readConfig().home, `.ready-${process.pid}`);
    await writeFile(probe, 'ready');
    await rm(probe, { force: true });
    return null;
  },
  files: async () => {
    // Any name will do: a store that can say that it does not have it is there.
    await storage().stat('0'.repeat(64));
    return null;
  },
};

const TIMEOUT_MS = 3_000;

/** Reasons by check; empty when all is well. */
export async function notReady(db: Database): Promise<Record<string, string>> {
  const found = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await reasonOf(check, db)] as const),
  );
  return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== null));
}

const failures: Record<string, string> = {
  ENOSPC: 'The disk is full.',
  EACCES: 'The data folder cannot be written to.',
  EROFS: 'The data folder is read-only.',
  ENOENT: 'The data folder is missing.',
};

async function reasonOf(check: Check, db: Database): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('No answer in time.'), TIMEOUT_MS);
  });
  try {
    return await Promise.race([check(db), late]);
  } catch (error) {
    // Only known words leave the server: a driver's message may name hosts and users.
    return failures[String((error as NodeJS.ErrnoException).code)] ?? 'No answer.';
  } finally {
    clearTimeout(timer);
  }
}
