import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { prepareDatabase } from '@/bin/database/prepare';
import { connect, type Database, tables } from '@/db';
import { migrate, migrationsFolder, prereleaseFolder } from '@/db/migrate';
import { ensureSecrets } from '@/lib/config/secrets';
import { folderSink, openBackup, tarSink } from '@/lib/services/backup/archives';
import { BackupHead, BackupManifest, type BackupSecrets } from '@/lib/services/backup/layout';
import { requeue, restoreBackup } from '@/lib/services/backup/restore-backup';
import { writeBackup } from '@/lib/services/backup/write-backup';
import { enqueue } from '@/lib/services/jobs';
import { localDisk, type Storage, sha256Of, storage } from '@/lib/services/storage';
import { collectBlobs } from '@/lib/services/storage/collect-blobs';
import { jobHandlers, prepareQueues } from '@/workers/jobs';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { runTessera } from '../../support/instance';
import { labelledProject } from '../../support/labelled-project';
import { cloneDatabase, createEmptyDatabase, type TestDatabase } from '../../support/server';

const db = useDatabase();
const home = useHome();
const targets: TestDatabase[] = [];
const secrets: BackupSecrets = { secret: 'the secret of the first instance, quite long' };
let tar = '';
let folder = '';
let places = 0;

const fresh = async (): Promise<TestDatabase> => {
  const made = await createEmptyDatabase(inject('adminUrl'));
  targets.push(made);
  return made;
};
const emptyStore = (): Storage => localDisk(path.join(home(), `store-${places++}`));
const urlOf = (database: Database) => database.$client.options.connectionString as string;

async function backUp(place: string, source: Database = db(), store: Storage = storage()) {
  const client = new pg.Client({ connectionString: urlOf(source) });
  await client.connect();
  try {
    const sink = place.endsWith('.tar') ? await tarSink(place) : folderSink(place);
    const manifest = await writeBackup({ client, storage: store, sink, release: '1.2.3', secrets });
    await sink.close();
    return manifest;
  } finally {
    await client.end();
  }
}

async function restore(place: string, target: TestDatabase, store: Storage = emptyStore(), force = false) {
  const client = new pg.Client({ connectionString: target.url });
  await client.connect();
  // The pool of the test would count as somebody who uses the database.
  await target.db.$client.end();
  try {
    const entries = await openBackup(place);
    const migrations = { folder: migrationsFolder };
    return await restoreBackup({ client, storage: store, entries, migrations, force });
  } finally {
    await client.end();
    target.db = connect(target.url);
  }
}

/** Every row of every table, as one hash per table. */
async function fingerprint(database: Database): Promise<Record<string, string>> {
  const { rows } = await database.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const prints: Record<string, string> = {};
  for (const { name } of rows) {
    const { rows: found } = await database.execute<{ print: string }>(sql`
      select count(*) || ' ' || coalesce(md5(string_agg(t::text, chr(10) order by t::text)), '') as print
      from ${sql.identifier(name)} t`);
    prints[name] = found[0]?.print ?? '';
  }
  return prints;
}

async function contents(store: Storage): Promise<string[]> {
  const names: string[] = [];
  for await (const { sha256 } of store.list()) {
    expect(sha256Of(await store.read(sha256, 1e9))).toBe(sha256);
    names.push(sha256);
  }
  return names;
}

beforeAll(async () => {
  await labelledProject(db(), { preset: 'part-imagenet', slug: 'birds', count: 5 });
  // What a careless copy would lose: a JSON null, line breaks, quotes, backslashes, other scripts, large numbers.
  for (const [key, value] of [
    ['null', null],
    ['text', 'a "quoted" \\ line\nand another\t\u2028 – ありがとう 🙂'],
    ['number', 1.7976931348623157e308],
    ['deep', { a: [1, { b: null }], '': [] }],
  ] as const)
    await db().execute(
      sql`insert into settings (key, value) values (${key}, ${JSON.stringify(value)}::jsonb)`,
    );
  await db().transaction(async (tx) => {
    const waiting = await enqueue(tx, 'collect-blobs', { some: 'input' }, { title: 'waits' });
    const failed = await enqueue(tx, 'collect-blobs', {}, { title: 'failed' });
    await tx.execute(sql`update pgboss.job set state = 'failed', completed_on = now() where id = ${failed}`);
    await tx.execute(
      sql`update jobs set state = 'failed', error = 'it broke', finished_at = now() where id = ${failed}`,
    );
    await tx.execute(sql`insert into job_logs (job_id, level, text) values (${waiting}, 'info', 'a line')`);
  });
  await db().execute(sql`
    insert into users (id, name, email) values ('018f0000-0000-7000-8000-000000000001', 'Ada', 'ada@example.org')`);
  tar = path.join(home(), 'backup.tar');
  folder = path.join(home(), 'backup');
  await backUp(tar);
  await backUp(folder);
});

afterAll(async () => {
  for (const target of targets) {
    if (!target.db.$client.ended) await target.db.$client.end();
    await target.drop();
  }
});

describe('a backup', () => {
  it.each(['tar', 'folder'])(
    'as a %s comes back as it was: every row, every file, the numbering',
    async (form) => {
      const target = await fresh();
      const store = emptyStore();
      const { head, manifest, secrets: kept } = await restore(form === 'tar' ? tar : folder, target, store);
      expect(head.release).toBe('1.2.3');
      expect(kept).toEqual(secrets);
      expect(manifest.blobs.count).toBeGreaterThan(5);
      expect(await fingerprint(target.db)).toEqual(await fingerprint(db()));
      expect(await contents(store)).toEqual(await contents(storage()));
      const next = sql`select last_value, is_called from job_logs_seq_seq`;
      expect((await target.db.execute(next)).rows).toEqual((await db().execute(next)).rows);
    },
  );

  it('has its rules again: references, append-only evidence, and what no row may be', async () => {
    const target = await fresh();
    await restore(tar, target);
    await prepareDatabase(target.url);
    const rules = sql`
      select conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) || ' ' || convalidated as rule
      from pg_constraint where connamespace = 'public'::regnamespace
      union all select tgrelid::regclass::text || ' ' || tgname || ' ' || tgenabled::text
      from pg_trigger where not tgisinternal and tgrelid::regclass::text not like 'pgboss%'
      union all select indexdef from pg_indexes where schemaname = 'public'
      order by 1`;
    expect((await target.db.execute(rules)).rows).toEqual((await db().execute(rules)).rows);
    const labels = target.db.execute(sql`delete from labels`);
    await expect(labels).rejects.toThrow();
  });

  it('brings the jobs back to a queue of their own: they wait, or can be retried', async () => {
    const target = await fresh();
    const { queued } = await restore(tar, target);
    await prepareDatabase(target.url);
    expect(
      await requeue(
        target.db,
        queued,
        jobHandlers.map(({ kind }) => kind),
      ),
    ).toBe(1);
    const found = sql`
      select j.title, j.state, q.state::text as queue, q.data from jobs j join pgboss.job q on q.id = j.id order by 1`;
    expect((await target.db.execute(found)).rows).toEqual([
      { title: 'failed', state: 'failed', queue: 'failed', data: {} },
      { title: 'waits', state: 'queued', queue: 'created', data: { some: 'input' } },
    ]);
  });

  it('holds one moment, whatever is written and deleted meanwhile', async () => {
    const place = path.join(home(), 'busy.tar');
    let isTold = false;
    const busy: Storage = {
      ...storage(),
      async get(sha256, range) {
        if (!isTold) {
          isTold = true;
          await db().execute(sql`insert into settings (key, value) values ('too late', '1')`);
          const before = await contents(storage());
          await collectBlobs(db(), storage(), { graceMs: -60_000 });
          expect(await contents(storage())).toEqual(before);
        }
        return storage().get(sha256, range);
      },
    };
    await backUp(place, db(), busy);
    await db().execute(sql`delete from settings where key = 'too late'`);
    const target = await fresh();
    await restore(place, target);
    expect(await fingerprint(target.db)).toEqual(await fingerprint(db()));
  });

  it('says which files were missing or damaged when it was made, and keeps all else', async () => {
    const store = localDisk(path.join(home(), 'rotten'));
    cpSync(path.join(home(), 'blobs'), path.join(home(), 'rotten'), { recursive: true });
    const [gone = '', rotten = ''] = await contents(storage());
    await store.delete(gone);
    writeFileSync(store.place?.(rotten) ?? '', 'something else');
    const place = path.join(home(), 'rotten.tar');
    const { damaged } = await backUp(place, db(), store);
    expect(damaged).toEqual([gone, rotten]);
    const restored = emptyStore();
    const target = await fresh();
    expect((await restore(place, target, restored)).manifest.damaged).toEqual(damaged);
    expect(await contents(restored)).toEqual((await contents(storage())).slice(2));
  });
});

describe('restoring', () => {
  it('refuses what is not empty, unless told to throw it away', async () => {
    const target = await cloneDatabase(inject('adminUrl'));
    targets.push(target);
    await target.db.insert(tables.users).values({ name: 'Bo', email: 'bo@example.org' });
    const before = await fingerprint(target.db);
    await expect(restore(tar, target)).rejects.toMatchObject({ kind: 'conflict' });
    expect(await fingerprint(target.db)).toEqual(before);
    await restore(tar, target, emptyStore(), true);
    expect(await fingerprint(target.db)).toEqual(await fingerprint(db()));
  });

  it('waits for nobody: it refuses a database that is in use', async () => {
    const target = await fresh();
    const other = new pg.Client({ connectionString: target.url });
    await other.connect();
    await expect(restore(tar, target)).rejects.toThrow('Stop Tessera');
    await other.end();
  });

  it('changes nothing when the backup is cut or damaged anywhere', async () => {
    const whole = readFileSync(tar);
    const target = await cloneDatabase(inject('adminUrl'));
    targets.push(target);
    const before = await fingerprint(target.db);
    const place = path.join(home(), 'bad.tar');
    const at = (share: number) => Math.floor(share * (whole.length - 3000));
    const cuts = [0, 700, at(0.1), at(0.7), whole.length - 1200].map((n) => whole.subarray(0, n));
    // A bit in the contents of files; one in padding between them would harm nobody.
    const bits = ['"tessera-backup"', 'quoted', '"blobs"'].map((text) => {
      const bad = Buffer.from(whole);
      const found = bad.lastIndexOf(text);
      expect(found).toBeGreaterThan(0);
      bad.writeUInt8(bad.readUInt8(found + 3) ^ 1, found + 3);
      return bad;
    });
    for (const bad of [
      ...cuts,
      ...bits,
      Buffer.from('PK\u0003\u0004 this is a zip, they said'),
      Buffer.alloc(4096),
    ]) {
      writeFileSync(place, bad);
      await expect(restore(place, target)).rejects.toThrow();
    }
    expect(await fingerprint(target.db)).toEqual(before);
  });

  it('changes nothing when a file is missing, is too much, or was exchanged', async () => {
    const target = await cloneDatabase(inject('adminUrl'));
    targets.push(target);
    const before = await fingerprint(target.db);
    const place = path.join(home(), 'bad');
    const blob = BackupManifest.parse(
      JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8')),
    ).files.find((file) => file.path.startsWith('blobs/'))?.path as string;
    const faults: (() => void)[] = [
      () => rmSync(path.join(place, 'manifest.json')),
      () => rmSync(path.join(place, blob)),
      () => rmSync(path.join(place, 'database', 'labels'), { recursive: true }),
      () => writeFileSync(path.join(place, blob), 'another picture'),
      () => writeFileSync(path.join(place, 'database', 'users', '000001.jsonl'), ''),
      () => writeFileSync(path.join(place, 'backup.json'), '{"format":"something else"}'),
      () => writeFileSync(path.join(place, 'manifest.json'), '{}'),
    ];
    for (const fault of faults) {
      rmSync(place, { recursive: true, force: true });
      cpSync(folder, place, { recursive: true });
      fault();
      await expect(restore(place, target)).rejects.toMatchObject({ kind: 'invalid' });
    }
    expect(await fingerprint(target.db)).toEqual(before);
    await expect(restore(path.join(home(), 'nowhere'), target)).rejects.toThrow('There is no backup');
    await expect(restore(migrationsFolder, target)).rejects.toThrow('no manifest');
  });

  it('takes one of an older release, which then goes through the later steps', async () => {
    const old = path.join(home(), 'old-steps');
    cpSync(prereleaseFolder, old, { recursive: true });
    const journalFile = path.join(old, 'meta', '_journal.json');
    const journal = JSON.parse(readFileSync(journalFile, 'utf8'));
    writeFileSync(journalFile, JSON.stringify({ ...journal, entries: journal.entries.slice(0, 8) }));
    const source = await fresh();
    await migrate(source.url, old);
    await prepareQueues(source.url);
    await source.db.execute(
      sql`insert into users (id, name, email) values (gen_random_uuid(), 'Old', 'old@example.org')`,
    );
    const place = path.join(home(), 'old.tar');
    await backUp(place, source.db);
    const target = await fresh();
    await restore(place, target);
    expect(await fingerprint(target.db)).toEqual(await fingerprint(source.db));
    await prepareDatabase(target.url);
    expect(Object.keys(await fingerprint(target.db))).toEqual(Object.keys(await fingerprint(db())));
    expect((await target.db.select().from(tables.users)).map(({ name }) => name)).toEqual(['Old']);
  });

  it('refuses one of a newer release, and one that is made of other steps', async () => {
    const place = path.join(home(), 'newer');
    const change = (how: (head: BackupHead) => void) => {
      rmSync(place, { recursive: true, force: true });
      cpSync(folder, place, { recursive: true });
      const file = path.join(place, 'backup.json');
      const head = BackupHead.parse(JSON.parse(readFileSync(file, 'utf8')));
      how(head);
      writeFileSync(file, JSON.stringify(head));
    };
    change((head) => head.migrations.push({ hash: 'f'.repeat(64), createdAt: '9999999999999' }));
    await expect(restore(place, await fresh())).rejects.toThrow('newer release');
    change((head) => {
      (head.migrations[0] as { hash: string }).hash = 'f'.repeat(64);
    });
    await expect(restore(place, await fresh())).rejects.toThrow('another line of releases');
    change((head) => {
      (head as { formatVersion: number }).formatVersion = 2;
    });
    await expect(restore(place, await fresh())).rejects.toThrow('newer release');
  });
});

describe('the commands', () => {
  it('back up and restore, keep the secret, and keep it to themselves', async () => {
    const first = path.join(home(), 'first');
    const second = path.join(home(), 'second');
    mkdirSync(first);
    const { secret } = ensureSecrets(first);
    cpSync(path.join(home(), 'blobs'), path.join(first, 'blobs'), { recursive: true });
    const out = path.join(home(), 'out', 'everything.tar');
    const source = { DATABASE_URL: urlOf(db()), TESSERA_HOME: first };
    const made = await runTessera(['backup', '--out', out, '--json'], source);
    expect(made).toMatchObject({ code: 0 });
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(readdirSync(path.dirname(out))).toEqual(['everything.tar']);
    expect(await runTessera(['backup', '--out', out], source)).toMatchObject({ code: 1 });

    const target = await fresh();
    await target.db.$client.end();
    const there = { DATABASE_URL: target.url, TESSERA_HOME: second };
    const restored = await runTessera(['restore', out], there);
    expect(restored.output).toContain('The secret of the backup is in place');
    expect(restored.code).toBe(0);
    expect(ensureSecrets(second).secret).toBe(secret);
    expect(statSync(path.join(second, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(await contents(localDisk(path.join(second, 'blobs')))).toEqual(await contents(storage()));
    const again = await runTessera(['restore', out], there);
    expect(again).toMatchObject({ code: 1, output: expect.stringContaining('--force') });
    target.db = connect(target.url);
    expect((await fingerprint(target.db)).labels).toBe((await fingerprint(db())).labels);
  });
});
