import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '@/lib/config';
import { localDisk, readAll, type Storage, sha256Of, storage } from '@/lib/services/storage';
import { type S3Bucket, s3Bucket } from '@/lib/services/storage/s3-bucket';
import { signRequest } from '@/lib/services/storage/s3-client';
import { startFakeS3 } from '../../support/fake-s3';
import { useHome } from '../../support/home';

const home = useHome();
const keys = { region: 'eu-central-1', keyId: 'AKIDEXAMPLE', secret: 'a+secret/with=signs' };
let s3: Awaited<ReturnType<typeof startFakeS3>>;
beforeAll(async () => {
  s3 = await startFakeS3('pictures', keys);
});
afterAll(() => s3.close());

const PART = 1000;
const settings = (): S3Bucket => ({
  ...keys,
  endpoint: s3.endpoint,
  bucket: 'pictures',
  prefix: 'lab (1)/tessera/',
  stagingFolder: path.join(home(), 'arriving'),
  partBytes: PART,
});

const stores: { name: string; open: () => Storage; staging: () => string }[] = [
  {
    name: 'the local disk',
    open: () => localDisk(path.join(home(), 'blobs')),
    staging: () => path.join(home(), 'blobs', 'staging'),
  },
  { name: 'an S3 bucket', open: () => s3Bucket(settings()), staging: () => settings().stagingFolder },
];

describe.each(stores)('$name', ({ open, staging }) => {
  const text = async (stream: Readable) => (await readAll(stream, 1e9)).toString();
  const staged = () => readdir(staging());
  const namesIn = async () => {
    const names: string[] = [];
    for await (const { sha256 } of open().list()) names.push(sha256);
    return names;
  };

  it('names content by its hash and gives it back whole or in part', async () => {
    const blob = await open().stage(Readable.from([Buffer.from('hello '), Buffer.from('world')]));
    expect(blob).toMatchObject({ sha256: sha256Of(Buffer.from('hello world')), bytes: 11 });
    await blob.place();
    expect(await text(await open().get(blob.sha256))).toBe('hello world');
    expect(await text(await open().get(blob.sha256, { start: 6, end: 8 }))).toBe('wor');
    expect((await open().read(blob.sha256, 11)).toString()).toBe('hello world');
    await expect(open().read(blob.sha256, 10)).rejects.toMatchObject({ kind: 'too-large' });
    expect(await open().stat(blob.sha256)).toMatchObject({ bytes: 11 });
  });

  it('shows nothing of what is not placed yet', async () => {
    const blob = await open().stage(Buffer.from('half way'));
    expect(await open().stat(blob.sha256)).toBeNull();
    await expect(open().get(blob.sha256)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(open().read(blob.sha256, 100)).rejects.toMatchObject({ kind: 'not-found' });
    await blob.discard();
    expect(await staged()).toEqual([]);
  });

  it('keeps equal content once, also when it arrives many times at once', async () => {
    const content = Buffer.from('twins');
    const blobs = await Promise.all(Array.from({ length: 8 }, () => open().stage(content)));
    await Promise.all(blobs.map((blob) => blob.place()));
    expect((await namesIn()).filter((name) => name === sha256Of(content))).toHaveLength(1);
    expect(await staged()).toEqual([]);
  });

  it.each([0, 1, PART, PART + 1, 5 * PART + 7])('keeps a file of %d bytes, and forgets it', async (bytes) => {
    const content = randomBytes(bytes);
    const blob = await open().stage(content);
    await blob.place();
    expect(await readAll(await open().get(blob.sha256), 1e6)).toEqual(content);
    expect(await namesIn()).toContain(blob.sha256);
    await open().delete(blob.sha256);
    await open().delete(blob.sha256);
    expect(await open().stat(blob.sha256)).toBeNull();
    expect(await namesIn()).not.toContain(blob.sha256);
  });

  it('lists everything, also over many pages', async () => {
    const contents = Array.from({ length: 7 }, (_, n) => Buffer.from(`one of many: ${n}`));
    for (const content of contents) await (await open().stage(content)).place();
    const names = await namesIn();
    for (const content of contents) expect(names).toContain(sha256Of(content));
    expect(new Set(names).size).toBe(names.length);
  });

  it('leaves nothing behind when the sender breaks off, sends too much, or the disk is full', async () => {
    async function* broken(error: Error) {
      yield Buffer.from('a beginning');
      throw error;
    }
    await expect(open().stage(broken(new Error('connection lost')))).rejects.toThrow('connection lost');
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    await expect(open().stage(broken(full))).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/full.*Free some space/),
    });
    const endless = async function* () {
      for (;;) yield Buffer.alloc(1000);
    };
    await expect(open().stage(endless(), { maxBytes: 5000 })).rejects.toMatchObject({ kind: 'too-large' });
    expect(await staged()).toEqual([]);
  });

  it('sweeps away what killed writers left, when it is old', async () => {
    await open().stage(Buffer.from('nobody places this'));
    expect(await open().sweepStaged(new Date(Date.now() - 60_000))).toBe(0);
    expect(await open().sweepStaged(new Date(Date.now() + 60_000))).toBe(1);
    expect(await staged()).toEqual([]);
  });

  it.each(['../escape', 'a'.repeat(63), `${'a'.repeat(63)}G`, ''])('refuses the name %j', async (name) => {
    await expect(open().get(name)).rejects.toMatchObject({ kind: 'invalid' });
  });
});

describe('an S3 bucket', () => {
  const put = async (content: Buffer) => (await s3Bucket(settings()).stage(content)).place();

  it('is asked again when it is busy, and says so when it stays away', async () => {
    s3.state.failures = [503, 500];
    await put(Buffer.from('third time lucky'));
    s3.state.failures = [503, 503, 503, 503];
    await expect(put(Buffer.from('never'))).rejects.toMatchObject({ kind: 'unavailable' });
    s3.state.failures = [];
    const nowhere = s3Bucket({ ...settings(), endpoint: 'http://127.0.0.1:9' });
    await expect(nowhere.stat('0'.repeat(64))).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('says that the key is wrong, at once', async () => {
    const before = s3.state.requests;
    const stranger = s3Bucket({ ...settings(), secret: 'another' });
    await expect(stranger.stat('0'.repeat(64))).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('refuses the key'),
    });
    expect(s3.state.requests - before).toBe(1);
  });

  it('is understood when its clock, or ours, has jumped', async () => {
    const store = s3Bucket(settings());
    s3.state.aheadMs = 3 * 3_600_000;
    try {
      await (await store.stage(Buffer.from('out of time'))).place();
      expect(await store.stat(sha256Of(Buffer.from('out of time')))).not.toBeNull();
    } finally {
      s3.state.aheadMs = 0;
    }
  });

  it('takes back a large file of which a part fails, and sweeps up what a killed writer began', async () => {
    const large = await s3Bucket(settings()).stage(randomBytes(3 * PART));
    // Not there; begun; the first part; then it stays away for the second one.
    s3.state.failures = [0, 0, 0, 400];
    await expect(large.place()).rejects.toMatchObject({ kind: 'unavailable' });
    expect(s3.uploads.size).toBe(0);
    s3.uploads.set('left', { key: `${settings().prefix}aa/bb/x`, parts: new Map(), initiated: new Date() });
    expect(await s3Bucket(settings()).sweepStaged(new Date(Date.now() + 60_000))).toBe(1);
    expect(s3.uploads.size).toBe(0);
  });

  it('is what the environment names, whole or not at all', async () => {
    const environment = {
      TESSERA_S3_BUCKET: 'pictures',
      TESSERA_S3_ENDPOINT: s3.endpoint,
      TESSERA_S3_KEY_ID: keys.keyId,
      TESSERA_S3_SECRET: keys.secret,
      TESSERA_S3_REGION: keys.region,
    };
    expect(storage().place).toBeDefined();
    Object.assign(process.env, environment);
    try {
      expect(storage().place).toBeUndefined();
      const blob = await storage().stage(Buffer.from('by the environment'));
      await blob.place();
      expect(s3.objects.has(`${blob.sha256.slice(0, 2)}/${blob.sha256.slice(2, 4)}/${blob.sha256}`)).toBe(
        true,
      );
      delete process.env.TESSERA_S3_SECRET;
      expect(() => storage()).toThrow('TESSERA_S3_SECRET');
      expect(() => readConfig({ TESSERA_S3_BUCKET: 'Not A Bucket' })).toThrow('name of a bucket');
    } finally {
      for (const name of Object.keys(environment)) delete process.env[name];
    }
  });
});

/** The examples of AWS's own page "Authenticating Requests: Using the Authorization Header". */
describe('a signature', () => {
  const example = {
    region: 'us-east-1',
    keyId: 'AKIAIOSFODNN7EXAMPLE',
    secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  };
  const at = new Date('2013-05-24T00:00:00Z');
  const bucket = 'https://examplebucket.s3.amazonaws.com';
  const nothing = sha256Of(Buffer.alloc(0));

  interface Example {
    what: string;
    method: string;
    url: string;
    headers: Record<string, string>;
    bodyHash: string;
    signature: string;
  }

  it.each<Example>([
    {
      what: 'GET with a range',
      method: 'GET',
      url: `${bucket}/test.txt`,
      headers: { range: 'bytes=0-9' },
      bodyHash: nothing,
      signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    },
    {
      what: 'PUT with a body',
      method: 'PUT',
      url: `${bucket}/test%24file.text`,
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      bodyHash: sha256Of(Buffer.from('Welcome to Amazon S3.')),
      signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    },
    {
      what: 'a query without a value',
      method: 'GET',
      url: `${bucket}/?lifecycle`,
      headers: {},
      bodyHash: nothing,
      signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    },
    {
      what: 'a list',
      method: 'GET',
      url: `${bucket}/?max-keys=2&prefix=J`,
      headers: {},
      bodyHash: nothing,
      signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    },
  ])('of $what is the one that AWS prints', ({ method, url, headers, bodyHash, signature }) => {
    const signed = signRequest({ method, url: new URL(url), headers, bodyHash, at }, example);
    expect(signed.authorization?.split('Signature=')[1]).toBe(signature);
  });
});
