import type { Database } from '@/db';
import { enterDatabase } from '../database/enter';
import { type Remote, readRemote } from './client';

/** The same question to the database of this machine, or to an instance elsewhere when one is named. */
export async function either<T>(
  values: { url?: string; key?: string },
  local: (db: Database) => Promise<T>,
  elsewhere: (remote: Remote) => Promise<T>,
): Promise<T> {
  const remote = readRemote(values);
  if (remote) return elsewhere(remote);
  await using entered = await enterDatabase();
  return await local(entered.db);
}
