import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { prepareDatabase } from '@/bin/database/prepare';
import { migrate, migrationsFolder, prereleaseFolder } from '@/db/migrate';
import { createEmptyDatabase, type TestDatabase } from '../support/server';

let database: TestDatabase;
beforeEach(async () => {
  database = await createEmptyDatabase(inject('adminUrl'));
});
afterEach(() => database.drop());

const rows = async (statement: string) => (await database.db.execute(statement)).rows;

const tableNames = async () =>
  (
    await rows(`select table_name from information_schema.tables where table_schema = 'public' order by 1`)
  ).map((row) => row.table_name);

const journalOf = (folder: string) =>
  JSON.parse(readFileSync(path.join(folder, 'meta', '_journal.json'), 'utf8'));
const journal = journalOf(migrationsFolder);
const prerelease = journalOf(prereleaseFolder);

/** A copy of the pre-release migrations with only the first ones. */
function firstMigrations(count: number): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tessera-migrations-'));
  cpSync(prereleaseFolder, folder, { recursive: true });
  const entries = prerelease.entries.slice(0, count);
  writeFileSync(path.join(folder, 'meta', '_journal.json'), JSON.stringify({ ...prerelease, entries }));
  return folder;
}

describe('migrating', () => {
  it('makes every table in an empty database', async () => {
    await migrate(database.url);
    const names = await tableNames();
    for (const name of [
      'users',
      'projects',
      'images',
      'items',
      'answers',
      'ledger',
      'versions',
      'audit_log',
    ]) {
      expect(names).toContain(name);
    }
  });

  it('changes nothing the second time', async () => {
    await prepareDatabase(database.url);
    const before = await rows('select * from drizzle.__drizzle_migrations');
    await prepareDatabase(database.url);
    expect(await rows('select * from drizzle.__drizzle_migrations')).toEqual(before);
    expect(before).toHaveLength(journal.entries.length);
  });

  it('is done once when several start at the same moment', async () => {
    await Promise.all([migrate(database.url), migrate(database.url), migrate(database.url)]);
    expect(await rows('select * from drizzle.__drizzle_migrations')).toHaveLength(journal.entries.length);
  });

  it.each([
    ['released', migrationsFolder],
    ['pre-release', prereleaseFolder],
  ])('has a file for every entry of the %s journal, and no other', (_, folder) => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
    const tags = journalOf(folder).entries.map(({ tag }: { tag: string }) => `${tag}.sql`);
    expect(files.sort()).toEqual(tags.sort());
  });

  it('keeps time zones: every moment is stored with one', async () => {
    await migrate(database.url);
    const without = await rows(
      `select table_name, column_name from information_schema.columns
       where table_schema = 'public' and data_type = 'timestamp without time zone'`,
    );
    expect(without).toEqual([]);
  });

  it('has an index for every reference, so that deleting a project does not read whole tables', async () => {
    await migrate(database.url);
    const unindexed = await rows(
      `select conrelid::regclass::text as "table", a.attname as "column"
       from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
       where c.contype = 'f' and c.confdeltype = 'c' and not exists (
         select 1 from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1])
       order by 1, 2`,
    );
    expect(unindexed).toEqual([]);
  });
});

/** Everything the migrations create, in an order that does not depend on how it was created. */
const catalogQueries = {
  columns: `select table_name, column_name, data_type, udt_name, is_nullable, column_default, generation_expression
    from information_schema.columns where table_schema = 'public' order by 1, 2`,
  constraints: `select conrelid::regclass::text as "table", conname, pg_get_constraintdef(oid) as definition
    from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n' order by 1, 2`,
  indexes: `select tablename, indexname, indexdef from pg_indexes where schemaname = 'public' order by 1, 2`,
  triggers: `select tgrelid::regclass::text as "table", tgname, pg_get_triggerdef(oid) as definition
    from pg_trigger where not tgisinternal order by 1, 2`,
  functions: `select proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
};

const readCatalog = async (db: TestDatabase['db']) =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(catalogQueries).map(
        async ([name, query]) => [name, (await db.execute(query)).rows] as const,
      ),
    ),
  );

describe('a database of a development version', () => {
  it('becomes identical to a new one, and is adopted once', async () => {
    const fresh = await createEmptyDatabase(inject('adminUrl'));
    try {
      await migrate(fresh.url);
      const folder = firstMigrations(prerelease.entries.length);
      await migrate(database.url, folder);
      rmSync(folder, { recursive: true });

      await Promise.all([migrate(database.url), migrate(database.url)]);

      const applied = 'select hash, created_at from drizzle.__drizzle_migrations order by created_at';
      expect(await rows(applied)).toEqual((await fresh.db.execute(applied)).rows);
      expect(await readCatalog(database.db)).toEqual(await readCatalog(fresh.db));
    } finally {
      await fresh.drop();
    }
  });

  /** Rows as that release wrote them; they never change, whatever happens to the schema. */
  const written = [
    `insert into users (id, name, email) values
      ('018f0000-0000-7000-8000-000000000001', 'Wanda', 'wanda@example.org')`,
    `insert into projects (id, slug, name, state) values
      ('018f0000-0000-7000-8000-000000000002', 'birds', 'Birds', 'collecting')`,
    `insert into memberships (project_id, user_id, role) values
      ('018f0000-0000-7000-8000-000000000002', '018f0000-0000-7000-8000-000000000001', 'worker')`,
    `insert into ledger (id, project_id, worker_id, kind, source_id, amount_micro, currency) values
      ('018f0000-0000-7000-8000-000000000003', '018f0000-0000-7000-8000-000000000002',
       '018f0000-0000-7000-8000-000000000001', 'item', '018f0000-0000-7000-8000-000000000004', 250000, 'USD')`,
  ];

  it('keeps its rows and gains the rules of this one', async () => {
    const folder = firstMigrations(1);
    await migrate(database.url, folder);
    rmSync(folder, { recursive: true });
    for (const statement of written) await database.db.execute(statement);

    await prepareDatabase(database.url);

    expect(await rows('select name, email from users')).toEqual([
      { name: 'Wanda', email: 'wanda@example.org' },
    ]);
    expect(await rows('select slug, state from projects')).toEqual([{ slug: 'birds', state: 'collecting' }]);
    expect(await rows('select amount_micro::int as amount from ledger')).toEqual([{ amount: 250_000 }]);
    await expect(rows('update ledger set amount_micro = 1')).rejects.toMatchObject({
      cause: { message: 'rows of ledger are append-only' },
    });
  });

  it('is left as it was when a step fails', async () => {
    const folder = firstMigrations(1);
    await migrate(database.url, folder);
    for (const statement of written) await database.db.execute(statement);
    const before = await tableNames();
    writeFileSync(
      path.join(folder, '0001_broken.sql'),
      'create table half (id int);\nselect no_such_function();',
    );
    const broken = {
      idx: 1,
      version: '7',
      when: prerelease.entries[0].when + 1,
      tag: '0001_broken',
      breakpoints: true,
    };
    const entries = [prerelease.entries[0], broken];
    writeFileSync(path.join(folder, 'meta', '_journal.json'), JSON.stringify({ ...prerelease, entries }));
    await expect(migrate(database.url, folder)).rejects.toThrow();
    rmSync(folder, { recursive: true });
    expect(await tableNames()).toEqual(before);
    expect(await rows('select * from drizzle.__drizzle_migrations')).toHaveLength(1);
  });
});
