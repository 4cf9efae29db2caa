import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GET as getBlob } from '@/app/api/blobs/[sha256]/route';
import { GET as isReady } from '@/app/api/ready/route';
import { getMe } from '@/app/api/v1/account';
import { sendFile } from '@/app/api/v1/uploads';
import { scopeIds } from '@/lib/services/access';
import { putBlob, signBlobUrl, storage } from '@/lib/services/storage';
import { MAX_IN_FLIGHT } from '@/lib/services/storage/s3-client';
import { call, origin, withKey } from '../app/api/call';
import { keyOf } from '../services/access/people';
import { useDatabase } from '../support/database';
import { startFakeS3 } from '../support/fake-s3';
import { useHome } from '../support/home';
import { oneOfEach, type World } from '../support/one-of-each';

const db = useDatabase();
useHome();
const keys = { region: 'us-east-1', keyId: 'AKIDEXAMPLE', secret: 'a secret' };
const bytes = randomBytes(50_000);
let s3: Awaited<ReturnType<typeof startFakeS3>>;
let world: World;
let headers: Record<string, string>;
let address = '';

beforeAll(async () => {
  s3 = await startFakeS3('pictures', keys);
  Object.assign(process.env, {
    TESSERA_S3_BUCKET: 'pictures',
    TESSERA_S3_ENDPOINT: s3.endpoint,
    TESSERA_S3_KEY_ID: keys.keyId,
    TESSERA_S3_SECRET: keys.secret,
    TESSERA_S3_PATIENCE: '1',
  });
  world = await oneOfEach(db());
  headers = withKey(await keyOf(db(), world.member, ...scopeIds));
  const { sha256 } = await putBlob(db(), storage(), bytes, { mediaType: 'image/png' });
  address = signBlobUrl(sha256);
});
afterAll(async () => {
  for (const name of Object.keys(process.env)) if (name.startsWith('TESSERA_S3_')) delete process.env[name];
  await s3.close();
});

const picture = () =>
  getBlob(new Request(`${origin}${address}`), {
    params: Promise.resolve({ sha256: /[0-9a-f]{64}/.exec(address)?.[0] ?? '' }),
  });

async function told(reply: Response) {
  return { status: reply.status, wait: reply.headers.get('retry-after'), says: (await reply.json()).detail };
}

it('a store that does not answer is told as such, and nobody waits for it for ever', async () => {
  s3.state.isSilent = true;
  const late = {
    status: 503,
    wait: '5',
    says: expect.stringContaining('does not answer (no answer in time)'),
  };
  expect(await told(await picture())).toEqual(late);
  const sent = await sendFile.handle(
    new Request(`${origin}/api/v1/projects/${world.slug}/uploads/${world.ids.upload}/files?name=a.png`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      body: bytes,
    }),
    { project: world.slug, upload: world.ids.upload as string },
  );
  expect(await told(sent)).toEqual(late);
  const ready = await isReady(new Request(`${origin}/api/ready`));
  expect([ready.status, Object.keys((await ready.json()).reasons)]).toEqual([503, ['files']]);
});

it('requests for it do not pile up, and others do not wait for them', async () => {
  const before = s3.state.requests;
  const many = Array.from({ length: 3 * MAX_IN_FLIGHT }, () => storage().stat('0'.repeat(64)));
  const outcomes = Promise.allSettled(many);
  expect((await call(getMe, { headers })).status).toBe(200);
  const says = (await outcomes).map((each) =>
    each.status === 'rejected' ? String(each.reason) : 'answered',
  );
  expect(says.filter((words) => words.includes('is overloaded'))).toHaveLength(2 * MAX_IN_FLIGHT);
  expect(says.filter((words) => words.includes('no answer in time'))).toHaveLength(MAX_IN_FLIGHT);
  // Each that waits tries twice at most.
  expect(s3.state.requests - before).toBeLessThanOrEqual(2 * MAX_IN_FLIGHT);
});

it('a store that stops responding in the middle of a file ends the file there', async () => {
  Object.assign(s3.state, { isSilent: false, stopsAt: 1000 });
  const reply = await picture();
  expect(reply.status).toBe(200);
  await expect(reply.arrayBuffer()).rejects.toThrow('stopped responding in the middle of a file');
});

it('when it answers again, so do we, without anybody doing anything', async () => {
  s3.state.stopsAt = Number.POSITIVE_INFINITY;
  const reply = await picture();
  expect(reply.status).toBe(200);
  expect(Buffer.from(await reply.arrayBuffer()).equals(bytes)).toBe(true);
  expect((await isReady(new Request(`${origin}/api/ready`))).status).toBe(200);
});
