import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesOf } from '@/bin/import/files';
import { startBlock } from '@/bin/start/block';
import { hashOfInputs } from '@/bin/start/build';
import { takeLock } from '@/bin/start/lock';
import { oneFor, total, vitestTally } from '@/bin/test-suites';
import { explain } from '@/db/embedded/explain';
import { ensureSecrets, readSecrets } from '@/lib/config/secrets';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tessera-parts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the lock of a home', () => {
  const file = () => path.join(folder, 'start.lock');

  it('is held by one', () => {
    const lock = takeLock(file(), 'http://here');
    expect(takeLock(file(), 'http://there')).toMatchObject({ pid: process.pid, note: 'http://here' });
    if ('release' in lock) lock.release();
    expect(takeLock(file(), 'http://there')).toHaveProperty('release');
  });

  it('is taken over from a process that has died', () => {
    writeFileSync(file(), JSON.stringify({ pid: 2 ** 22 + 1, began: '1', note: '' }));
    expect(takeLock(file(), '')).toHaveProperty('release');
  });

  it('is taken over when the number of the holder belongs to another process by now', () => {
    writeFileSync(file(), JSON.stringify({ pid: process.pid, began: 'long ago', note: '' }));
    expect(takeLock(file(), '')).toHaveProperty('release');
  });

  it('is taken over when its file was cut short', () => {
    writeFileSync(file(), '{"pid":');
    expect(takeLock(file(), '')).toHaveProperty('release');
  });
});

describe('the secrets of a home', () => {
  it('are made once, for their owner only', () => {
    const made = ensureSecrets(folder);
    expect(ensureSecrets(folder)).toEqual(made);
    expect(readSecrets(folder)).toEqual(made);
    expect(statSync(path.join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(made.secret.length).toBeGreaterThanOrEqual(32);
  });
});

describe('the build', () => {
  it('is made again when a source changes, appears or is renamed, and only then', () => {
    mkdirSync(path.join(folder, 'app'));
    const page = path.join(folder, 'app', 'page.tsx');
    writeFileSync(page, 'one');
    const first = hashOfInputs(folder);
    writeFileSync(path.join(folder, 'README.md'), 'not an input');
    writeFileSync(page, 'one');
    expect(hashOfInputs(folder)).toBe(first);
    writeFileSync(page, 'two');
    const second = hashOfInputs(folder);
    expect(second).not.toBe(first);
    writeFileSync(path.join(folder, 'next.config.js'), '');
    expect(hashOfInputs(folder)).not.toBe(second);
  });

  it('is made again when only a translation has changed', () => {
    mkdirSync(path.join(folder, 'messages'));
    const catalogue = path.join(folder, 'messages', 'fr.json');
    writeFileSync(catalogue, '{"done":"Fini"}');
    const first = hashOfInputs(folder);
    writeFileSync(catalogue, '{"done":"Terminé"}');
    expect(hashOfInputs(folder)).not.toBe(first);
  });
});

describe('the block that a start prints', () => {
  it('holds all that is needed to begin', () => {
    const block = startBlock({
      url: 'http://localhost:3000',
      home: '/srv/tessera',
      database: '/srv/tessera/postgres',
      logFile: '/srv/tessera/tessera.log',
      entrance: 'Sign in as …',
      isDevelopment: false,
    });
    for (const fact of ['http://localhost:3000', '/srv/tessera/postgres', 'Sign in as …', 'Ctrl-C']) {
      expect(block).toContain(fact);
    }
  });
});

describe('what PostgreSQL says when it fails', () => {
  it.each([
    ['initdb: error: could not write: No space left on device', 'The disk is full'],
    ['FATAL: could not open file: Permission denied', 'may not be used by this user'],
    ['FATAL: could not map anonymous shared memory', '--shm-size'],
    ['postgres: error while loading shared libraries: libicu', 'DATABASE_URL'],
  ])('is explained: %s', (said, advice) => {
    const { message } = explain('PostgreSQL does not start', said, '/srv/postgres');
    expect(message).toContain(advice);
    expect(message).toContain(said);
  });
});

describe('the files of an import', () => {
  it('carry the names of their folders, from the given one on', () => {
    mkdirSync(path.join(folder, 'animals', 'dog'), { recursive: true });
    writeFileSync(path.join(folder, 'animals', 'dog', '1.jpg'), 'x');
    writeFileSync(path.join(folder, 'more.zip'), 'xyz');
    const files = filesOf([path.join(folder, 'animals'), path.join(folder, 'more.zip')]);
    expect(files.map(({ name, bytes }) => [name, bytes])).toEqual([
      ['animals/dog/1.jpg', 1],
      ['more.zip', 3],
    ]);
    expect(() => filesOf([path.join(folder, 'nothing')])).toThrow('There is no file or folder');
  });
});

describe('the sum of all tests', () => {
  it('counts a runner that failed without naming a test as one failure', () => {
    const report = path.join(folder, 'vitest.json');
    const counts = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 1, numTodoTests: 0 };
    writeFileSync(report, JSON.stringify(counts));
    expect(vitestTally(report, 0)).toEqual({ passed: 3, failed: 0, skipped: 1 });
    expect(vitestTally(report, 1)).toEqual({ passed: 3, failed: 1, skipped: 1 });
    expect(vitestTally(path.join(folder, 'none.json'), 0)).toEqual(oneFor(1));
    expect(total([oneFor(0), oneFor(1), vitestTally(report, 0)])).toEqual({
      passed: 4,
      failed: 1,
      skipped: 1,
    });
  });
});
