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
      'The backup was made by a newer release of Tessera: restore it with that.',
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
  // As drizzle makes it: the steps that follow look here.
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
