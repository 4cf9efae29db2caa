import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { migrationsFolder } from '@/db/migrate';
import { folderSink, openBackup } from '@/lib/services/backup/archives';
import { BackupManifest } from '@/lib/services/backup/layout';
import { restoreBackup } from '@/lib/services/backup/restore-backup';
import { writeBackup } from '@/lib/services/backup/write-backup';
import { tarLayout } from '@/lib/services/datasets/exports/archive-layouts';
import { localDisk, sha256Of } from '@/lib/services/storage';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { createEmptyDatabase, type TestDatabase } from '../../support/server';
import { person } from '../access/people';

/** Somebody hands over a backup and asks to have a look at it: its content is theirs, the machine is not. */
const db = useDatabase();
const home = useHome();

interface Part {
  path: string;
  content: Buffer;
  /** As a tar has it: 0 is a file, 1 a hard link, 2 a symbolic one, 5 a folder, 3 a device. */
  type?: string;
  /** What the header claims. */
  bytes?: number;
}

let good: Part[] = [];
let target: TestDatabase;
let places = 0;

beforeAll(async () => {
  await person(db(), 'Ann', true);
  const folder = path.join(home(), 'good');
  const client = new pg.Client({ connectionString: db().$client.options.connectionString as string });
  await client.connect();
  const sink = folderSink(folder);
  const storage = localDisk(path.join(home(), 'store'));
  await writeBackup({ client, storage, sink, release: '1.2.3', secrets: null }).finally(() => client.end());
  const manifest = BackupManifest.parse(JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8')));
  good = manifest.files.map((file) => ({
    path: file.path,
    content: readFileSync(path.join(folder, file.path)),
  }));
  // No queue, and so no other session, on the target.
  target = await createEmptyDatabase(inject('adminUrl'));
  await target.db.$client.end();
});

afterAll(async () => {
  await target.drop();
});

const manifestOf = (parts: readonly Part[], change: Partial<BackupManifest> = {}): Part => {
  const rows: Record<string, number> = {};
  for (const { path: file, content } of parts) {
    const name = /^database\/([^/]+)\/\d+/.exec(file)?.[1];
    if (name) rows[name] = (rows[name] ?? 0) + content.toString().split('\n').filter(Boolean).length;
  }
  const files = parts.map(({ path: file, content }) => ({
    path: file,
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  }));
  const manifest = { files, rows, blobs: { count: 0, bytes: 0 }, queued: 0, damaged: [], ...change };
  return { path: 'manifest.json', content: Buffer.from(JSON.stringify(manifest)) };
};

/** A tar with whatever in it, its manifest fitting unless another is given. */
function tarOf(parts: readonly Part[], manifest = manifestOf(parts)): string {
  const file = path.join(home(), `hostile-${places++}.tar`);
  const blocks = [...parts, manifest].flatMap(({ path: name, content, type, bytes }) => {
    const header = Buffer.from(tarLayout.header({ path: name, bytes: bytes ?? content.length, crc: 0 }));
    if (type) header.write(type, header.length - 512 + 156, 'latin1');
    return [header, content, Buffer.alloc(tarLayout.padding(content.length))];
  });
  writeFileSync(file, Buffer.concat([...blocks, Buffer.alloc(1024)]));
  return file;
}

async function restore(place: string) {
  const client = new pg.Client({ connectionString: target.url });
  await client.connect();
  const storage = localDisk(path.join(home(), `restored-${places++}`));
  try {
    const entries = await openBackup(place);
    const migrations = { folder: migrationsFolder };
    return await restoreBackup({ client, storage, entries, migrations, force: true });
  } finally {
    await client.end();
  }
}

/** The good backup with the text of one of its files changed. */
const changed = (file: string, change: (text: string) => string): Part[] =>
  good.map((part) =>
    part.path === file ? { ...part, content: Buffer.from(change(part.content.toString())) } : part,
  );

interface Head {
  tables: { name: string; columns: { name: string; type: string }[] }[];
}
const withHead = (change: (head: Head) => void): Part[] =>
  changed('backup.json', (text) => {
    const head = JSON.parse(text);
    change(head);
    return JSON.stringify(head);
  });
const usersOf = (head: Head) => head.tables.find(({ name }) => name === 'users') as Head['tables'][number];
const users = 'database/users/000001.jsonl';
const file = (name: string, text = 'x'): Part => ({ path: name, content: Buffer.from(text) });
const refused = { kind: 'invalid' };

/** What the first, sound backup has brought is still there after a refused one. */
async function expectUnchanged(): Promise<void> {
  const client = new pg.Client({ connectionString: target.url });
  await client.connect();
  const { rows } = await client.query('select name from users').finally(() => client.end());
  expect(rows).toEqual([{ name: 'Ann' }]);
}

describe('a backup of somebody else', () => {
  afterEach(expectUnchanged);

  it('is restored when it is sound: what follows fails for its own reason', async () => {
    expect((await restore(tarOf(good))).manifest.rows.users).toBe(1);
  });

  it.each<[string, (head: Head) => void]>([
    [
      'a type that is a statement',
      (head) => {
        const [first] = usersOf(head).columns;
        if (first) first.type = "uuid), (select pg_read_file('/etc/passwd')::text";
      },
    ],
    [
      'a type that is another one',
      (head) => {
        const [first] = usersOf(head).columns;
        if (first) first.type = 'text';
      },
    ],
    [
      'a column that does not exist',
      (head) => {
        const [first] = usersOf(head).columns;
        if (first) first.name = 'id") values (1); drop table users; --';
      },
    ],
    ['a column too few', (head) => void usersOf(head).columns.pop()],
    [
      'a table of the system',
      (head) => void head.tables.push({ name: 'pg_authid', columns: [{ name: 'rolname', type: 'name' }] }),
    ],
    [
      'a table whose name is a statement',
      (head) => {
        usersOf(head).name = 'users" cascade; drop table "answers';
      },
    ],
    ['a table too few', (head) => void head.tables.shift()],
  ])('ran what its table definitions said; now %s is refused', async (_, change) => {
    await expect(restore(tarOf(withHead(change)))).rejects.toMatchObject(refused);
  });

  it.each<[string, Part]>([
    ['a path above', file('../../outside.txt')],
    ['a path above, among the rows', file('database/../../outside/000001.jsonl', '[]\n')],
    ['a path above, among the files', file(`blobs/../../${sha256Of(Buffer.from('x'))}`)],
    ['an absolute path', file('/etc/cron.d/tessera')],
    ['a path with a backslash', file('..\\outside.txt')],
    ['an empty path', file('')],
    ['rows of a table that is not listed', file('database/pg_authid/000001.jsonl', '["x"]\n')],
    ['rows of a table whose name is a statement', file('database/users; drop table users/000001.jsonl', '')],
    ['a file whose name is no hash', file('blobs/ab/cd/passwd')],
    ['a file in the place of another', file(`blobs/00/00/${sha256Of(Buffer.from('x'))}`)],
    ['a file twice', { ...file(users), content: Buffer.alloc(0) }],
    ['its head twice', file('backup.json', '{}')],
    ['a second secret file that is none', file('secrets.json', '{"secret":"short"}')],
    ['a secret of two lines', file('secrets.json', JSON.stringify({ secret: `${'a'.repeat(40)}\nPORT=1` }))],
    [
      'numbering that is none',
      file('database/sequences.json', '[{"name":"x","value":"1; drop","isCalled":true}]'),
    ],
    ['numbering of nothing', file('database/sequences.json', '[{"name":"x","value":"1","isCalled":true}]')],
    ['jobs that are none', file('queue.jsonl', '["rm","not an id",null,false]\n')],
    ['a symbolic link', { ...file('blobs/link', '/etc/passwd'), type: '2' }],
    ['a hard link', { ...file(users), type: '1' }],
    ['a device', { ...file('blobs/device', ''), type: '3' }],
    ['a folder', { ...file('blobs/', ''), type: '5' }],
    ['a pipe', { ...file('blobs/pipe', ''), type: '6' }],
    ['a header for all that follows', { ...file('global', '20 path=/etc/shadow\n'), type: 'g' }],
    ['more than there is', { ...file(`blobs/${'a'.repeat(64)}`), bytes: 2 ** 40 }],
  ])('that holds %s changes nothing', async (_, part) => {
    const parts = good.filter(
      (each) => each.path !== part.path || part.path === users || part.path === 'backup.json',
    );
    await expect(restore(tarOf([...parts, part]))).rejects.toMatchObject(refused);
  });

  it.each<[string, string]>([
    ['rows that are none', 'not json\n'],
    ['rows that end the list and begin another', '["a"]],[["b"]\n'],
    ['rows with too little in them', '[]\n'],
    ['rows with values that do not fit', '["not an id"]\n'],
  ])('with %s changes nothing', async (_, text) => {
    await expect(restore(tarOf(changed(users, () => text)))).rejects.toMatchObject(refused);
  });

  it('whose manifest says other hashes, sizes or counts than there are changes nothing', async () => {
    const right = JSON.parse(manifestOf(good).content.toString()) as BackupManifest;
    const [first, ...rest] = right.files as [BackupManifest['files'][number], ...BackupManifest['files']];
    for (const wrong of [
      { files: [{ ...first, sha256: '0'.repeat(64) }, ...rest] },
      { files: [{ ...first, bytes: first.bytes + 1 }, ...rest] },
      { files: rest },
      { files: [...right.files, { path: 'blobs/more', bytes: 1, sha256: '0'.repeat(64) }] },
      { rows: { ...right.rows, users: 2 } },
    ])
      await expect(restore(tarOf(good, manifestOf(good, wrong)))).rejects.toMatchObject(refused);
    await expect(restore(tarOf(good, file('manifest.json', '{}')))).rejects.toMatchObject(refused);
    await expect(restore(tarOf([...good, manifestOf(good)]))).rejects.toMatchObject(refused);
  }, 600_000);

  it('that is cut anywhere changes nothing', async () => {
    const whole = readFileSync(tarOf(good));
    for (const share of [0.05, 0.3, 0.6, 0.9, 0.999]) {
      const place = path.join(home(), 'cut.tar');
      writeFileSync(place, whole.subarray(0, Math.floor(share * (whole.length - 1024))));
      await expect(restore(place)).rejects.toMatchObject(refused);
    }
  }, 600_000);

  describe('as a folder', () => {
    const folderOf = (parts: readonly Part[]): string => {
      const folder = path.join(home(), `folder-${places++}`);
      for (const { path: name, content } of [...parts, manifestOf(parts)]) {
        mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
        writeFileSync(path.join(folder, name), content);
      }
      return folder;
    };

    it('read files of this machine through links in it', async () => {
      const secret = path.join(home(), 'secret-of-this-machine.json');
      const original = good.find((part) => part.path === users) as Part;
      writeFileSync(secret, original.content);
      const linked = folderOf(good);
      rmSync(path.join(linked, users));
      symlinkSync(secret, path.join(linked, users));
      await expect(restore(linked)).rejects.toThrow(/link to another place/);

      const behind = folderOf(good);
      const outside = path.join(home(), 'outside');
      mkdirSync(outside, { recursive: true });
      writeFileSync(path.join(outside, '000001.jsonl'), original.content);
      rmSync(path.join(behind, 'database', 'users'), { recursive: true });
      symlinkSync(outside, path.join(behind, 'database', 'users'));
      await expect(restore(behind)).rejects.toThrow(/link to another place/);

      // A second name of one file is how some tools save space; it shows nothing that is not in the backup.
      const hard = folderOf(good);
      rmSync(path.join(hard, users));
      linkSync(secret, path.join(hard, users));
      expect((await restore(hard)).manifest.rows.users).toBe(1);
    });

    it('may be reached through a link itself', async () => {
      const link = path.join(home(), `link-${places++}`);
      symlinkSync(folderOf(good), link);
      expect((await restore(link)).manifest.rows.users).toBe(1);
    });

    it('whose manifest names a file above is refused', async () => {
      const folder = folderOf(good);
      writeFileSync(path.join(home(), 'outside.txt'), 'x');
      const more = manifestOf([...good, file('../outside.txt')]);
      writeFileSync(path.join(folder, 'manifest.json'), more.content);
      await expect(restore(folder)).rejects.toThrow();
    });
  });
});
