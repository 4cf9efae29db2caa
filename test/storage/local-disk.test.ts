import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { localDisk, readAll, resolveInside, sha256Of } from '@/lib/storage';
import { useHome } from '../support/home';

const home = useHome();
const disk = () => localDisk(path.join(home(), 'blobs'));
const text = async (stream: Readable) => (await readAll(stream, 1e9)).toString();
const staged = () => readdir(path.join(home(), 'blobs', 'staging'));

describe('the local disk', () => {
  it('names content by its hash and gives it back whole or in part', async () => {
    const blob = await disk().stage(Readable.from([Buffer.from('hello '), Buffer.from('world')]));
    expect(blob).toMatchObject({ sha256: sha256Of(Buffer.from('hello world')), bytes: 11 });
    await blob.place();
    expect(await text(await disk().get(blob.sha256))).toBe('hello world');
    expect(await text(await disk().get(blob.sha256, { start: 6, end: 8 }))).toBe('wor');
    expect(await disk().stat(blob.sha256)).toMatchObject({ bytes: 11 });
  });

  it('shows nothing of what is not placed yet', async () => {
    const blob = await disk().stage(Buffer.from('half way'));
    expect(await disk().stat(blob.sha256)).toBeNull();
    await expect(disk().get(blob.sha256)).rejects.toMatchObject({ kind: 'not-found' });
    await blob.discard();
    expect(await staged()).toEqual([]);
  });

  it('keeps equal content once, also when it arrives many times at once', async () => {
    const content = Buffer.from('twins');
    const blobs = await Promise.all(Array.from({ length: 8 }, () => disk().stage(content)));
    await Promise.all(blobs.map((blob) => blob.place()));
    const names = [];
    for await (const blob of disk().list()) names.push(blob.sha256);
    expect(names.filter((name) => name === sha256Of(content))).toHaveLength(1);
    expect(await staged()).toEqual([]);
  });

  it('leaves nothing behind when the sender breaks off', async () => {
    async function* broken() {
      yield Buffer.from('a beginning');
      throw new Error('connection lost');
    }
    await expect(disk().stage(broken())).rejects.toThrow('connection lost');
    expect(await staged()).toEqual([]);
  });

  it('says what to do when the disk is full, and leaves nothing behind', async () => {
    async function* full() {
      yield Buffer.from('as much as fits');
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    }
    await expect(disk().stage(full())).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/full.*Free some space/),
    });
    expect(await staged()).toEqual([]);
  });

  it('stops counting at the limit, whatever the sender claims', async () => {
    const endless = async function* () {
      for (;;) yield Buffer.alloc(1000);
    };
    await expect(disk().stage(endless(), { maxBytes: 5000 })).rejects.toMatchObject({ kind: 'too-large' });
    expect(await staged()).toEqual([]);
  });

  it('stores an empty file', async () => {
    const blob = await disk().stage(Buffer.alloc(0));
    await blob.place();
    expect(await disk().stat(blob.sha256)).toMatchObject({ bytes: 0 });
  });

  it.each(['../escape', 'a'.repeat(63), `${'a'.repeat(63)}G`, ''])('refuses the name %j', async (name) => {
    await expect(disk().get(name)).rejects.toMatchObject({ kind: 'invalid' });
  });
});

describe('resolveInside', () => {
  it('stays in its folder', () => {
    expect(resolveInside('/data', 'a/b')).toBe('/data/a/b');
    expect(resolveInside('/data', 'a/../b')).toBe('/data/b');
  });

  it.each(['..', '../x', 'a/../../x', '/etc/passwd', '.', '', 'a\0b'])('refuses %j', (name) => {
    expect(() => resolveInside('/data', name)).toThrow(/leads out/);
  });
});
