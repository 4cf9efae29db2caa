import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { prepareDatabase } from '@/bin/database/prepare';
import { connect, type Database, newId } from '@/db';
import { findEmbedded, isAlive, startEmbedded } from '@/db/embedded';
import { ensureSecrets, readSecrets } from '@/lib/config/secrets';

const template = 'tessera_template';
const prefix = 'tessera-test-';

export interface TestServer {
  /** Address of the database `postgres`, from which others are created and dropped. */
  adminUrl: string;
  stop(): Promise<void>;
}

/** One PostgreSQL for a whole run of tests, with a migrated template to clone. Nothing in it survives. */
export async function startTestServer(): Promise<TestServer> {
  await sweep();
  const home = mkdtempSync(path.join(os.tmpdir(), `${prefix}${process.pid}-`));
  // PostgreSQL may run as another user, who has to pass through.
  chmodSync(home, 0o711);
  const server = await startEmbedded(home, ensureSecrets(home).databasePassword, { kind: 'throwaway' });
  const adminUrl = server.url('postgres');
  await administer(adminUrl, `create database ${template}`);
  await prepareDatabase(server.url(template));
  return {
    adminUrl,
    async stop() {
      await server.stop();
      const { data } = server.place;
      // Outside of the home, the folder above the data is for this home alone.
      if (!data.startsWith(home)) rmSync(path.dirname(data), { recursive: true, force: true });
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export interface TestDatabase {
  url: string;
  db: Database;
  drop(): Promise<void>;
}

/** A fresh, migrated database without rows; about 50 ms. */
export const cloneDatabase = (adminUrl: string) =>
  createDatabase(adminUrl, `template ${template} strategy file_copy`);

/** A database without any table, for the tests of the migrations themselves. */
export const createEmptyDatabase = (adminUrl: string) => createDatabase(adminUrl, '');

async function createDatabase(adminUrl: string, how: string): Promise<TestDatabase> {
  const name = `t_${newId().replaceAll('-', '')}`;
  await administer(adminUrl, `create database ${name} ${how}`);
  const url = new URL(adminUrl);
  url.pathname = name;
  const db = connect(url.href);
  return {
    url: url.href,
    db,
    async drop() {
      if (!db.$client.ended) await db.$client.end();
      await administer(adminUrl, `drop database ${name} with (force)`);
    },
  };
}

async function administer(adminUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Ends and removes what runs that were killed have left. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(os.tmpdir())) {
    const owner = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : Number.NaN;
    if (Number.isNaN(owner) || isAlive(owner)) continue;
    const home = path.join(os.tmpdir(), name);
    const secrets = readSecrets(home);
    if (secrets) await findEmbedded(home, secrets.databasePassword)?.stop();
    rmSync(home, { recursive: true, force: true });
  }
}
