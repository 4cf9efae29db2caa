import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromBuffer } from 'yauzl';
import { tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { runExport, startExport } from '@/lib/services/datasets/exports/export-jobs';
import { exportVersion } from '@/lib/services/datasets/exports/export-version';
import { getExport, listExports } from '@/lib/services/datasets/exports/list-exports';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { findVersion } from '@/lib/services/datasets/versions/open-version';
import { storage } from '@/lib/services/storage';
import { prepareQueues } from '@/workers/jobs';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { labelledProject, patiently } from '../../support/labelled-project';

const db = useDatabase();
useHome();
const rita = systemActor('Rita');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

let projectId = '';
let folder = '';
const wanted = (options: Record<string, unknown> = {}) => ({
  projectId,
  version: 'latest',
  format: 'coco',
  options,
});
const out = (name: string) => path.join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'tessera-export-'));
  ({ projectId } = await labelledProject(db(), {
    preset: 'part-imagenet',
    slug: 'exports',
    count: 30,
    classes: ['Bird', 'Fish', 'Car'],
  }));
  await freezeVersion(patiently(db()), rita, { projectId, request: FreezeRequest.parse({}) });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function filesUnder(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

const hashesUnder = async (root: string): Promise<[string, string][]> =>
  Promise.all(
    (await filesUnder(root)).map(
      async (name): Promise<[string, string]> => [name, sha256(await readFile(path.join(root, name)))],
    ),
  );

/** The files of a zip as an independent reader sees them. */
const unzipped = async (file: string): Promise<Map<string, Buffer>> =>
  new Promise((resolve, reject) => {
    readFile(file).then((bytes) =>
      fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
        if (error || !zip) return reject(error);
        const files = new Map<string, Buffer>();
        zip.on('entry', (entry) => {
          if (entry.fileName.endsWith('/')) return zip.readEntry();
          zip.openReadStream(entry, async (failed, stream) => {
            if (failed || !stream) return reject(failed);
            const chunks: Buffer[] = [];
            for await (const chunk of stream) chunks.push(chunk as Buffer);
            files.set(entry.fileName, Buffer.concat(chunks));
            zip.readEntry();
          });
        });
        zip.on('end', () => resolve(files));
        zip.on('error', reject);
        zip.readEntry();
      }),
    );
  });

describe('an export', () => {
  it('holds the same files as a folder, a zip and a tar, and the manifest is right about each', async () => {
    for (const name of ['plain', 'same.zip', 'same.tar'])
      await exportVersion(patiently(db()), wanted(), out(name));
    const names = await filesUnder(out('plain'));
    const zip = await unzipped(out('same.zip'));
    expect([...zip.keys()].sort()).toEqual(names);
    const listed = execFileSync('tar', ['-tf', out('same.tar')], { encoding: 'utf8' })
      .split('\n')
      .filter((name) => name && !name.endsWith('/'));
    expect(listed.sort()).toEqual(names);
    await mkdir(out('unpacked'));
    execFileSync('tar', ['-xf', out('same.tar'), '-C', out('unpacked')]);
    for (const name of names) {
      const bytes = await readFile(out(`plain/${name}`));
      expect(zip.get(name)?.equals(bytes), name).toBe(true);
      expect(bytes.equals(await readFile(out(`unpacked/${name}`))), name).toBe(true);
    }
    const manifest = String(zip.get('MANIFEST.sha256')).trim().split('\n');
    expect(manifest).toHaveLength(names.length - 1);
    for (const line of manifest) {
      const [hash, name = ''] = line.split('  ');
      expect(sha256(zip.get(name) ?? Buffer.alloc(0)), name).toBe(hash);
    }
    execFileSync('sha256sum', ['--check', '--quiet', 'MANIFEST.sha256'], { cwd: out('plain') });
  });

  it('has the same bytes every time', async () => {
    for (const name of ['a.zip', 'b.zip']) await exportVersion(patiently(db()), wanted(), out(name));
    expect(sha256(await readFile(out('a.zip')))).toBe(sha256(await readFile(out('b.zip'))));
  });

  it.each(['zip', 'tar', ''])(
    'that was stopped goes on where it was and gives the same bytes (%s)',
    async (kind) => {
      const name = (base: string) => out(kind ? `${base}.${kind}` : base);
      const hashOf = async (place: string) =>
        kind ? sha256(await readFile(place)) : JSON.stringify(await hashesUnder(place));
      await exportVersion(patiently(db()), wanted(), name('whole'));
      for (const stopAt of [1, 7, 20]) {
        const stopping = new AbortController();
        const progress = async (done: number) => {
          if (done >= stopAt) stopping.abort(new Error('pulled the plug'));
        };
        const context = { ...patiently(db()), signal: stopping.signal, progress };
        await expect(exportVersion(context, wanted(), name('torn'))).rejects.toThrow('pulled the plug');
        expect(existsSync(name('torn'))).toBe(false);
      }
      // A crash leaves half an entry and half a line of the journal behind.
      if (kind) await writeFile(`${name('torn')}.part`, 'half an entry', { flag: 'a' });
      await writeFile(`${name('torn')}.part.journal`, '{"path":"half', { flag: 'a' });
      await exportVersion(patiently(db()), wanted(), name('torn'));
      expect(await hashOf(name('torn'))).toBe(await hashOf(name('whole')));
    },
  );

  it('is whole when its folder went away and only the journal stayed', async () => {
    const stopping = new AbortController();
    const progress = async (done: number) => {
      if (done >= 9) stopping.abort();
    };
    const stopped = { ...patiently(db()), signal: stopping.signal, progress };
    await expect(exportVersion(stopped, wanted(), out('gone'))).rejects.toThrow();
    await rm(out('gone.part'), { recursive: true });
    await exportVersion(patiently(db()), wanted(), out('gone'));
    await exportVersion(patiently(db()), wanted(), out('there'));
    expect(await hashesUnder(out('gone'))).toEqual(await hashesUnder(out('there')));
  });

  it('may be named with a slash at the end, as shells complete it', async () => {
    await exportVersion(patiently(db()), wanted(), `${out('slashed')}/`);
    expect(await filesUnder(out('slashed'))).toContain('CARD.json');
  });

  it('is not written by two at once', async () => {
    const [one, two] = await Promise.allSettled(
      [1, 2].map(() => exportVersion(patiently(db()), wanted(), out('both.zip'))),
    );
    const failed = [one, two].flatMap((each) => (each?.status === 'rejected' ? [String(each.reason)] : []));
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatch(/Another process is writing|is there/);
    expect((await unzipped(out('both.zip'))).size).toBeGreaterThan(30);
  });

  it('begins anew when what it had written was damaged', async () => {
    const stopping = new AbortController();
    const progress = async (done: number) => {
      if (done >= 9) stopping.abort();
    };
    const stopped = { ...patiently(db()), signal: stopping.signal, progress };
    await expect(exportVersion(stopped, wanted(), out('hurt.zip'))).rejects.toThrow();
    await truncate(out('hurt.zip.part'), 10);
    await exportVersion(patiently(db()), wanted(), out('hurt.zip'));
    await exportVersion(patiently(db()), wanted(), out('sound.zip'));
    expect(sha256(await readFile(out('hurt.zip')))).toBe(sha256(await readFile(out('sound.zip'))));
  });

  it('begins anew when what is there was of another export', async () => {
    const stopping = new AbortController();
    const progress = async (done: number) => {
      if (done >= 9) stopping.abort();
    };
    const stopped = { ...patiently(db()), signal: stopping.signal, progress };
    await expect(exportVersion(stopped, wanted(), out('lost.zip'))).rejects.toThrow();
    await exportVersion(patiently(db()), wanted({ labels: 'boxes' }), out('lost.zip'));
    await exportVersion(patiently(db()), wanted({ labels: 'boxes' }), out('other.zip'));
    expect(sha256(await readFile(out('lost.zip')))).toBe(sha256(await readFile(out('other.zip'))));
  });

  it('never writes over what is there', async () => {
    await writeFile(out('mine.zip'), 'precious');
    await expect(exportVersion(patiently(db()), wanted(), out('mine.zip'))).rejects.toThrow('already exists');
    expect(await readFile(out('mine.zip'), 'utf8')).toBe('precious');
    await exportVersion(patiently(db()), wanted(), out('full'));
    await expect(exportVersion(patiently(db()), wanted(), out('full'))).rejects.toThrow('not empty');
  });

  it('refuses options and formats that do not exist, in a sentence', async () => {
    const to = (more: object) => exportVersion(patiently(db()), { ...wanted(), ...more }, out('never'));
    await expect(to({ format: 'nonsense' })).rejects.toThrow('Unknown format "nonsense"');
    await expect(to({ options: { colour: 'red' } })).rejects.toThrow('There is no option "colour"');
    await expect(to({ options: { fraction: 2 } })).rejects.toThrow('from 0 to 1');
    await expect(to({ options: { fold: 1 } })).rejects.toThrow('not split into folds');
    await expect(exportVersion(patiently(db()), wanted(), out('x.tar.gz'))).rejects.toThrow(
      'a .zip or a .tar file',
    );
    expect(existsSync(out('never'))).toBe(false);
  });

  it('keeps the masks of a nested share of the training images', async () => {
    const kept = async (fraction: number) => {
      await exportVersion(patiently(db()), wanted({ fraction }), out(`share-${fraction}`));
      const file = (await filesUnder(out(`share-${fraction}`))).find((name) => /train.*\.json$/.test(name));
      const { annotations } = JSON.parse(await readFile(out(`share-${fraction}/${file}`), 'utf8'));
      return new Set(annotations.map(({ image_id }: { image_id: number }) => image_id));
    };
    const [few, more, every] = [await kept(0.25), await kept(0.5), await kept(1)];
    expect(few.size).toBe(6);
    expect(more.size).toBe(9);
    expect(every.size).toBe(18);
    expect([...few].every((id) => more.has(id))).toBe(true);
  });
});

describe('an export as a job', () => {
  beforeAll(() => prepareQueues(process.env.DATABASE_URL as string));

  it('is put into the store, listed, and not made twice', async () => {
    const { id, jobId } = await startExport(db(), storage(), rita, wanted());
    const version = await findVersion(db(), { projectId, version: 'latest' });
    expect(await listExports(db(), { projectId, versionId: version.id })).toMatchObject([
      { id, state: 'queued', sha256: null },
    ]);
    const context = { ...patiently(db()), jobId, log: async () => {} };
    const first = await runExport(context, { exportId: id });
    const again = await runExport(context, { exportId: id });
    expect(again.sha256).toBe(first.sha256);
    const done = await getExport(db(), { projectId, exportId: id });
    expect(done).toMatchObject({ state: 'done', sha256: first.sha256 });
    expect((await storage().stat(first.sha256))?.bytes).toBe(done.bytes);
    expect(await readdir(path.join(process.env.TESSERA_HOME ?? '', 'exports'))).toEqual([]);
  });

  it('that is cancelled leaves nothing behind', async () => {
    const { id, jobId } = await startExport(db(), storage(), rita, wanted());
    await db().update(tables.jobs).set({ cancelRequested: true }).where(eq(tables.jobs.id, jobId));
    const stopping = new AbortController();
    const context = {
      ...patiently(db()),
      jobId,
      log: async () => {},
      signal: stopping.signal,
      progress: async (done: number) => {
        if (done >= 5) stopping.abort(new Error('cancelled'));
      },
    };
    await expect(runExport(context, { exportId: id })).rejects.toThrow('cancelled');
    expect(await readdir(path.join(process.env.TESSERA_HOME ?? '', 'exports'))).toEqual([]);
  });
});
