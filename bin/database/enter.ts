import { type Database, database } from '@/db';
import { readConfig } from '@/lib/config';
import { ensureSecrets } from '@/lib/config/secrets';
import { keepFilesPrivate, runtimeEnvironment } from '../start/environment';
import { lockHolder, startLock } from '../start/lock';
import { openDatabase } from './open';
import { ensurePrepared } from './prepared';

export interface Entered extends AsyncDisposable {
  db: Database;
}

/**
 * Gives a command the environment that web and worker have. A command on the server finds the database of the
 * running instance, or starts PostgreSQL for as long as it needs it.
 */
export async function enterDatabase(): Promise<Entered> {
  keepFilesPrivate();
  const config = readConfig();
  const open = await openDatabase(config);
  // Where an instance runs, it has done this, and its release decides about the tables.
  if (!process.send && !lockHolder(startLock(config.home))) await ensurePrepared(open.url);
  Object.assign(process.env, runtimeEnvironment(config, ensureSecrets(config.home), open.url));
  return {
    db: database(),
    async [Symbol.asyncDispose]() {
      await database().$client.end();
      await open.close();
    },
  };
}
