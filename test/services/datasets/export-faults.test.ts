import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '@/lib/core/actor';
import { runExport, startExport } from '@/lib/services/datasets/exports/export-jobs';
import { exportVersion } from '@/lib/services/datasets/exports/export-version';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { storage } from '@/lib/services/storage';
import { prepareQueues } from '@/workers/jobs';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { labelledProject, patiently } from '../../support/labelled-project';

const db = useDatabase();
const home = useHome();
const IMAGES = 150;
const script = fileURLToPath(new URL('./support/export-alone.ts', import.meta.url));

let projectId = '';
let folder = '';
const place = (base: string, kind: string) => path.join(folder, kind ? `${base}.${kind}` : base);
const wanted = () => ({ projectId, version: 'latest', format: 'coco', options: {} });

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'tessera-faults-'));
  ({ projectId } = await labelledProject(db(), {
    preset: 'part-imagenet',
    slug: 'faults',
    count: IMAGES,
    classes: ['Bird', 'Fish', 'Car'],
  }));
  const request = FreezeRequest.parse({ split: { kind: 'none' } });
  await freezeVersion(patiently(db()), systemActor('Rita'), { projectId, request });
  for (const kind of ['zip', 'tar', '']) await exportVersion(patiently(db()), wanted(), place('whole', kind));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Told {
  done?: number;
  whole?: boolean;
  kind?: string;
  message?: string;
}

/** An export by another process, which is killed as a power cut does when so many files are written. */
async function exportAlone(
  out: string,
  { killAt = Number.POSITIVE_INFINITY, largestFile }: { killAt?: number; largestFile?: number },
): Promise<Told | undefined> {
  const run = [process.execPath, '--import', 'tsx', script, projectId, out];
  // In units of 512 bytes, as POSIX has it.
  const limited = ['sh', '-c', `ulimit -f ${Math.floor((largestFile ?? 0) / 512)}; exec "$@"`, 'sh', ...run];
  const [command = '', ...args] = largestFile === undefined ? run : limited;
  const child = spawn(command, args, { env: process.env, stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  let last: Told | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    last = JSON.parse(line) as Told;
    if ((last.done ?? 0) >= killAt) child.kill('SIGKILL');
  }
  await gone;
  return last;
}

/** Names and hashes of what lies there: of one file, or of all in a folder. */
async function contentOf(at: string): Promise<string[]> {
  const hash = async (file: string) =>
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
  if ((await stat(at)).isFile()) return [await hash(at)];
  const entries = await readdir(at, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
  return Promise.all(files.sort().map(async (file) => `${path.relative(at, file)} ${await hash(file)}`));
}

const left = async (base: string) => (await readdir(folder)).filter((name) => name.startsWith(base)).sort();

describe('an export', () => {
  it.each(['zip', 'tar', ''])(
    'whose process is killed again and again is taken up and has the same bytes (%s)',
    async (kind) => {
      const out = place('killed', kind);
      for (const killAt of [2, (IMAGES * 2) / 3]) {
        const last = await exportAlone(out, { killAt });
        expect(last?.whole).toBeUndefined();
        expect(existsSync(out)).toBe(false);
        expect(existsSync(`${out}.part.lock`)).toBe(true);
      }
      await exportVersion(patiently(db()), wanted(), out);
      expect(await contentOf(out)).toEqual(await contentOf(place('whole', kind)));
      expect(await left(`${path.basename(out)}.part`)).toEqual([]);
    },
  );

  it.each(['zip', ''])(
    'that grows larger than it may says so, shows no half file, and goes on when it may (%s)',
    async (kind) => {
      const out = place('large', kind);
      const whole = place('whole', kind);
      const largest = (await stat(kind ? whole : path.join(whole, 'annotations/instances_all.json'))).size;
      const told = await exportAlone(out, { largestFile: largest / 2 });
      expect(told).toMatchObject({ kind: 'unavailable' });
      expect(told?.message).toMatch(
        /larger than this disk or this account allows.*ulimit.*goes on where it stopped/,
      );
      expect(existsSync(out)).toBe(false);
      expect(await left(`${path.basename(out)}.part`)).not.toEqual([]);
      await exportVersion(patiently(db()), wanted(), out);
      expect(await contentOf(out)).toEqual(await contentOf(whole));
    },
  );
});

describe('a full disk', () => {
  it('stops an export with what to do, and costs nothing that was written', async () => {
    const out = place('full', '');
    const stopping = new AbortController();
    const progress = async (done: number) => {
      if (done >= 100) stopping.abort(new Error('stopped'));
    };
    const stopped = { ...patiently(db()), signal: stopping.signal, progress };
    await expect(exportVersion(stopped, wanted(), out)).rejects.toThrow('stopped');
    const journal = await readFile(`${out}.part.journal`, 'utf8');
    // The system's own full device, in the place of a file that is still to come.
    const next = `${out}.part/CARD.json`;
    await symlink('/dev/full', next);
    await expect(exportVersion(patiently(db()), wanted(), out)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/is full\. Free some space there, then start the same export again/),
    });
    expect(existsSync(out)).toBe(false);
    expect(await readFile(`${out}.part.journal`, 'utf8')).toContain(journal);
    await rm(next);
    await exportVersion(patiently(db()), wanted(), out);
    expect(await contentOf(out)).toEqual(await contentOf(place('whole', '')));
  });
});

describe('a full disk of the server', () => {
  beforeAll(() => prepareQueues(process.env.DATABASE_URL as string));

  it('is told without the paths of the server, and the job goes on when it is retried', async () => {
    const { id, jobId } = await startExport(db(), storage(), systemActor('Rita'), wanted());
    const exports = path.join(home(), 'exports');
    const full = path.join(exports, `${id}.zip.part.journal.new`);
    await mkdir(exports, { recursive: true });
    await symlink('/dev/full', full);
    const context = { ...patiently(db()), jobId, log: async () => {} };
    await expect(runExport(context, { exportId: id })).rejects.toMatchObject({
      kind: 'unavailable',
      message:
        'The disk for the exports of this server is full. Free some space there, then retry the job: it goes on where it stopped.',
    });
    await rm(full);
    const { sha256 } = await runExport(context, { exportId: id });
    expect([sha256]).toEqual(await contentOf(place('whole', 'zip')));
    expect(await readdir(exports)).toEqual([]);
  });
});

describe('a lock that a killed process left', () => {
  it('does not stop a process that the system gave the same number', async () => {
    const out = place('locked', 'zip');
    const lock = { host: os.hostname(), pid: process.pid, began: 'long ago' };
    await writeFile(`${out}.part.lock`, JSON.stringify(lock));
    await exportVersion(patiently(db()), wanted(), out);
    expect(await contentOf(out)).toEqual(await contentOf(place('whole', 'zip')));
  });
});
