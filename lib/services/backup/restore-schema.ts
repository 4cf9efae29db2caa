import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { TesseraError } from '@/lib/core/errors';
import type { BackupHead } from './layout';

export interface Migrations {
  folder: string;
}

/** Recreates the tables as they were in the release that wrote the backup. The caller applies later migrations. */
export async function buildSchema(
  client: pg.Client,
  head: BackupHead,
  { folder }: Migrations,
): Promise<void> {
  const steps = stepsFor(head, folder);
  if (head.migrations.length > steps.length)
    throw new TesseraError(
      'invalid',
      'The backup was made by a newer release of Tessera. Restore it with that release.',
    );
  const isOurs = head.migrations.every(({ hash }, n) => steps[n]?.hash === hash);
  if (!isOurs)
    throw new TesseraError(
      'invalid',
      'The backup was made by another line of releases: its database is not made of the steps of this one.',
    );
  await client.query('drop schema if exists pgboss cascade');
  await client.query('drop schema if exists drizzle cascade');
  await client.query('drop schema if exists public cascade');
  await client.query('create schema public');
  for (const { statements } of steps.slice(0, head.migrations.length))
    for (const statement of statements) await client.query(statement);
  // The table that drizzle creates and that later migrations read.
  await client.query('create schema drizzle');
  await client.query(
    'create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  );
  for (const { hash, createdAt } of head.migrations)
    await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
      hash,
      createdAt,
    ]);
}

/** The migrations of released versions, or those of the development versions before 0.1.0. */
function stepsFor(head: BackupHead, folder: string): Step[] {
  const prerelease = stepsOf(path.join(folder, 'prerelease'));
  return head.migrations[0]?.hash === prerelease[0]?.hash ? prerelease : stepsOf(folder);
}

interface Step {
  hash: string;
  statements: string[];
}

function stepsOf(folder: string): Step[] {
  const journal = JSON.parse(readFileSync(path.join(folder, 'meta', '_journal.json'), 'utf8')) as {
    entries: { tag: string }[];
  };
  return journal.entries.map(({ tag }) => {
    const text = readFileSync(path.join(folder, `${tag}.sql`), 'utf8');
    return {
      hash: createHash('sha256').update(text).digest('hex'),
      statements: text.split('--> statement-breakpoint'),
    };
  });
}

interface Reference {
  table: string;
  name: string;
  definition: string;
}

/**
 * Empties the tables and drops foreign keys and triggers, so that rows can be inserted in any order. The returned function
 * restores them, which validates every reference and rejects an incomplete backup.
 */
export async function loosenTables(client: pg.Client): Promise<() => Promise<void>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
  );
  const { rows: references } = await client.query<Reference>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`,
  );
  for (const { name } of tables) await client.query(`alter table ${name} disable trigger user`);
  // Migrations can insert rows; only those of the backup belong here.
  if (tables.length > 0) await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
  for (const { table, name } of references)
    await client.query(`alter table ${table} drop constraint ${name}`);
  return async () => {
    for (const { table, name, definition } of references)
      await client.query(`alter table ${table} add constraint ${name} ${definition}`);
    for (const { name } of tables) await client.query(`alter table ${name} enable trigger user`);
  };
}
