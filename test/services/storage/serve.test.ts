import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isSignedBlobUrl, localDisk, putBlob, sha256Of, signBlobUrl } from '@/lib/services/storage';
import { parseRange, serveBlob } from '@/lib/services/storage/serve-blob';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';

const db = useDatabase();
const home = useHome();
const disk = () => localDisk(path.join(home(), 'blobs'));

describe('a signed link', () => {
  const sha256 = sha256Of(Buffer.from('x'));
  const now = new Date('2026-05-01T12:34:56Z');
  const link = () => new URL(signBlobUrl(sha256, { now }), 'http://host');
  const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

  it('opens its blob for at least an hour and at most two', () => {
    expect(isSignedBlobUrl(link(), { now })).toBe(true);
    expect(isSignedBlobUrl(link(), { now: later(60) })).toBe(true);
    expect(isSignedBlobUrl(link(), { now: later(121) })).toBe(false);
  });

  it('stays the same within the hour, so that a browser can keep what it has', () => {
    expect(signBlobUrl(sha256, { now: later(20) })).toBe(signBlobUrl(sha256, { now }));
  });

  it('opens nothing else: another blob, a later end, another secret, a cut signature', () => {
    const forged = (change: (url: URL) => void) => {
      const url = link();
      change(url);
      return isSignedBlobUrl(url, { now });
    };
    expect(forged((url) => (url.pathname = `/api/blobs/${sha256Of(Buffer.from('y'))}`))).toBe(false);
    expect(forged((url) => url.searchParams.set('expires', '9999999999'))).toBe(false);
    expect(forged((url) => url.searchParams.set('signature', 'AAAA'))).toBe(false);
    expect(forged((url) => url.searchParams.delete('signature'))).toBe(false);
    expect(isSignedBlobUrl(link(), { now, secret: 'another secret of more than 32 letters' })).toBe(false);
  });
});

describe('a blob is served', () => {
  const put = (text: string, mediaType: string) => putBlob(db(), disk(), Buffer.from(text), { mediaType });
  const ask = (sha256: string, headers: Record<string, string> = {}, method = 'GET') =>
    serveBlob(db(), disk(), sha256, { method, headers: new Headers(headers) });

  it('with the type of its row and nothing that lets it run', async () => {
    const { sha256 } = await put('not really a picture', 'image/png');
    const reply = await ask(sha256);
    expect(reply.status).toBe(200);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=31536000, immutable',
      'content-length': '20',
    });
    expect(await reply.text()).toBe('not really a picture');
  });

  it('as a download when a browser could do more with it than draw', async () => {
    const { sha256 } = await put('<script>', 'text/html');
    expect((await ask(sha256)).headers.get('content-disposition')).toBe('attachment');
  });

  it('in part, as a range asks', async () => {
    const { sha256 } = await put('0123456789', 'image/jpeg');
    const reply = await ask(sha256, { range: 'bytes=2-4' });
    expect(reply.status).toBe(206);
    expect(reply.headers.get('content-range')).toBe('bytes 2-4/10');
    expect(await reply.text()).toBe('234');
    expect((await ask(sha256, { range: 'bytes=10-' })).status).toBe(416);
  });

  it('not again to who has it', async () => {
    const { sha256 } = await put('known', 'image/jpeg');
    expect((await ask(sha256, { 'if-none-match': `"${sha256}"` })).status).toBe(304);
  });

  it('to nobody when there is no such blob', async () => {
    await expect(ask('0'.repeat(64))).rejects.toMatchObject({ kind: 'not-found' });
    await expect(ask('../../etc/passwd')).rejects.toMatchObject({ kind: 'not-found' });
  });
});

describe('a range header', () => {
  it.each([
    [null, 'all'],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=5-', { start: 5, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-30', { start: 0, end: 9 }],
    ['bytes=2-99', { start: 2, end: 9 }],
    ['bytes=10-12', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-2', 'all'],
    ['bytes=0-1,4-5', 'all'],
    ['lines=1-2', 'all'],
  ])('%s of ten bytes', (header, expected) => {
    expect(parseRange(header, 10)).toEqual(expected);
  });
});
