import { beforeAll, describe, expect, it } from 'vitest';
import { GET as getBlob } from '@/app/api/blobs/[sha256]/route';
import { listImages } from '@/app/api/v1/images';
import { cancelJob, getJob, listJobs, retryJob, watchJobs } from '@/app/api/v1/jobs';
import { finishUpload, getUpload, listUploadFiles, sendFile, startUpload } from '@/app/api/v1/uploads';
import { newId } from '@/db';
import { scopeIds } from '@/lib/services/access';
import { enqueue } from '@/lib/services/jobs';
import { prepareQueues } from '@/workers/jobs';
import { runWorker } from '@/workers/run';
import { call, origin, withKey } from '../../app/api/call';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { join, keyOf, person, project } from '../access/people';
import { jpeg } from '../images/ingest/files';
import { until } from './worker';

const db = useDatabase();
useHome();

let birds: { id: string; slug: string };
let secret: { id: string };
let curator: Record<string, string>;
let stranger: Record<string, string>;
let admin: Record<string, string>;

beforeAll(async () => {
  await prepareQueues(process.env.DATABASE_URL as string);
  birds = await project(db(), 'Birds');
  secret = await project(db(), 'Secret');
  const cora = await person(db(), 'Cora');
  await join(db(), cora, birds.id, 'curator');
  curator = withKey(await keyOf(db(), cora, ...scopeIds));
  stranger = withKey(await keyOf(db(), await person(db(), 'Sam'), ...scopeIds));
  admin = withKey(await keyOf(db(), await person(db(), 'Ada', true), ...scopeIds));
});

const start = (projectId: string | null, title = 'something') =>
  db().transaction((tx) => enqueue(tx, 'derivatives', { projectId: newId() }, { title, projectId }));

const put = (upload: string, name: string, body: Buffer) =>
  sendFile.handle(
    new Request(`${origin}/x?name=${encodeURIComponent(name)}`, {
      method: 'PUT',
      body: new Uint8Array(body),
      headers: { ...curator, 'content-length': String(body.length) },
    }),
    { project: birds.slug, upload },
  );

describe('a curator adds pictures over HTTP', () => {
  it('sends them one by one, finishes, and finds them when the worker has read them', async () => {
    const at = (upload: string) => ({ headers: curator, params: { project: birds.slug, upload } });
    const opened = await call(startUpload, { ...at(''), body: { unknownClass: 'accept' } });
    expect(opened.status).toBe(201);
    const upload = opened.json.id;
    expect((await put(upload, 'bird/a.jpg', await jpeg(1))).status).toBe(200);
    expect((await put(upload, 'b.txt', Buffer.from('no picture'))).status).toBe(200);
    expect(await (await put(upload, '.DS_Store', Buffer.from('x'))).json()).toEqual({ file: null });

    const finished = await call(finishUpload, at(upload));
    expect(finished).toMatchObject({ status: 202, json: { state: 'ingesting' } });
    expect((await put(upload, 'late.jpg', await jpeg(2))).status).toBe(409);

    const stop = new AbortController();
    const working = runWorker({ signal: stop.signal, db: db() });
    await until(db(), finished.json.jobId, 'done');
    stop.abort();
    await working;

    const { json } = await call(getUpload, at(upload));
    expect(json).toMatchObject({ state: 'done', counts: { files: 2, accepted: 1, refused: 1, waiting: 0 } });
    const refused = await call(listUploadFiles, { ...at(upload), query: '?state=refused' });
    expect(refused.json.items).toMatchObject([
      { name: 'b.txt', reason: expect.stringMatching(/not a picture/) },
    ]);
    const images = await call(listImages, { ...at(''), query: `?upload=${upload}` });
    expect(images.json.items).toMatchObject([{ name: 'bird/a.jpg', className: 'bird' }]);

    const link = new URL(images.json.items[0].thumbnail.url, origin);
    const params = Promise.resolve({ sha256: link.pathname.split('/').at(-1) as string });
    const thumbnail = await getBlob(new Request(link), { params });
    expect(thumbnail.status).toBe(200);
    expect(thumbnail.headers.get('content-type')).toBe('image/webp');
    expect(thumbnail.headers.get('cache-control')).toMatch(/immutable/);
    link.searchParams.set('signature', 'forged');
    expect((await getBlob(new Request(link), { params })).status).toBe(404);
  });

  it('cannot send to an upload through a project it does not belong to', async () => {
    const opened = await call(startUpload, { headers: admin, params: { project: secret.id }, body: {} });
    expect((await put(opened.json.id, 'a.jpg', await jpeg(1))).status).toBe(404);
  });
});

describe('jobs over HTTP', () => {
  it('are listed to who may see their project, a page at a time', async () => {
    const own = [await start(birds.id, 'first'), await start(birds.id, 'second')];
    const foreign = await start(secret.id);
    const ownerless = await start(null);
    const seenBy = async (headers: Record<string, string>) => {
      const ids: string[] = [];
      let query = '?limit=2&kind=derivatives';
      for (;;) {
        const { json } = await call(listJobs, { headers, query });
        ids.push(...json.items.map((job: { id: string }) => job.id));
        if (!json.next) return ids;
        query = `?limit=2&kind=derivatives&cursor=${json.next}`;
      }
    };
    expect(await seenBy(curator)).toEqual([...own].sort().reverse());
    expect(await seenBy(stranger)).toEqual([]);
    expect(await seenBy(admin)).toEqual(expect.arrayContaining([...own, foreign, ownerless]));
  });

  it('of others cannot be told from jobs that do not exist', async () => {
    for (const entry of [getJob, cancelJob, retryJob]) {
      const ask = async (job: string) => {
        const { status, json } = await call(entry, { headers: curator, params: { job } });
        return { status, ...json, requestId: '' };
      };
      const missing = await ask(newId());
      expect(missing.status).toBe(404);
      expect(await ask(await start(secret.id))).toEqual(missing);
      expect(await ask(await start(null))).toEqual(missing);
    }
  });

  it('can be cancelled, once', async () => {
    const job = await start(birds.id);
    const cancelled = await call(cancelJob, { headers: curator, params: { job } });
    expect(cancelled).toMatchObject({ status: 200, json: { state: 'cancelled' } });
    expect((await call(cancelJob, { headers: curator, params: { job } })).status).toBe(409);
    const told = await call(getJob, { headers: curator, params: { job } });
    expect(told.json).toMatchObject({
      job: { state: 'cancelled', projectName: 'Birds' },
      logs: [],
      next: null,
    });
  });

  it('are streamed as they change, to who may see them', async () => {
    const leave = new AbortController();
    const request = new Request(`${origin}/api/v1/jobs/stream`, { headers: curator, signal: leave.signal });
    const reply = await watchJobs.handle(request, {});
    expect(reply.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const hidden = await start(secret.id, 'hidden');
    const shown = await start(birds.id, 'shown');

    let text = '';
    const reader = (reply.body as ReadableStream<Uint8Array>).getReader();
    while (!text.includes(shown)) text += new TextDecoder().decode((await reader.read()).value);
    await call(cancelJob, { headers: curator, params: { job: shown } });
    while (!text.includes('"state":"cancelled"'))
      text += new TextDecoder().decode((await reader.read()).value);
    expect(text).not.toContain(hidden);
    leave.abort();
    while (!(await reader.read()).done);
  });
});
