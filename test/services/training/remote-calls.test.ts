import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '@/app/api/_http/endpoint';
import { endpoints } from '@/app/api/v1/endpoints';
import {
  addTrainer,
  deleteTrainer,
  keepTrainerLease,
  listAllTrainers,
  readTrainerFile,
  releaseTrainerRun,
  sendTrainerEvents,
  sendTrainerFile,
  sendTrainerVerdict,
  takeTrainerRun,
} from '@/app/api/v1/trainers';
import { newId, tables } from '@/db';
import { trainingPreset } from '@/lib/core/training-spec';
import { policy, type UserActor } from '@/lib/services/access';
import { putBlob, sha256Of, storage } from '@/lib/services/storage';
import { MANIFEST } from '@/lib/services/training/remote/run-inputs';
import { call, origin, withKey } from '../../app/api/call';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { keyOf, person, project } from '../access/people';

const db = useDatabase();
useHome();

const machine = { python: '/usr/bin/python3', torch: '2.3.0', processors: 8, memoryGb: 32, missing: null };
const gpu = { name: 'A100', memoryGb: 40 };
let ada: UserActor;
let box: { headers: Record<string, string>; id: string };
let projectId = '';
let versionId = '';

async function enrol(name: string, gpus = [] as (typeof gpu)[]) {
  const headers = withKey(await keyOf(db(), ada, 'trainers'));
  const { status, json } = await call(addTrainer, {
    headers,
    body: { name, capabilities: { ...machine, gpus } },
  });
  expect(status).toBe(200);
  return { headers, id: json.id as string };
}

/** A run on offer, as the supervising job leaves it. */
async function offer(preset = 'tiny-64'): Promise<string> {
  const id = newId();
  const spec = trainingPreset(preset)?.make({
    arch: 'downsampled',
    method: 'normal',
    id,
    snapshot: `sha256:${'0'.repeat(64)}`,
    seed: 0,
  });
  await db()
    .insert(tables.runs)
    .values({ id, projectId, versionId, name: preset, spec: spec as never, launcher: 'remote' });
  for (const path of ['job.json', MANIFEST]) {
    const blob = await putBlob(db(), storage(), Buffer.from(`${path} of ${id}`), {
      mediaType: 'application/json',
    });
    await db().insert(tables.runFiles).values({ runId: id, path, blob: blob.sha256, bytes: blob.bytes });
  }
  return id;
}

const take = async ({ headers, id } = box) =>
  (await call(takeTrainerRun, { headers, params: { trainer: id } })).json.run;

/** A call about a run, by a trainer. */
const about = (
  entry: Endpoint,
  run: string,
  { body, query = '' }: { body?: unknown; query?: string },
  by = box,
) => call(entry, { headers: by.headers, params: { trainer: by.id, run }, query, body });

async function send(
  run: string,
  name: string,
  content: Buffer,
  { sha256 = sha256Of(content), attempt = 1 } = {},
) {
  const query = new URLSearchParams({ attempt: String(attempt), path: name, sha256 });
  const path = sendTrainerFile.path.replace('{trainer}', box.id).replace('{run}', run);
  const request = new Request(`${origin}${path}?${query}`, {
    method: 'PUT',
    headers: { ...box.headers, 'content-length': String(content.length) },
    body: new Uint8Array(content),
  });
  return (await sendTrainerFile.handle(request, { trainer: box.id, run })).status;
}

const event = (seq: number, fields = {}) => ({
  ...{ seq, t: 1.7e9 + seq, attempt: 1, kind: 'note', message: 'Told.' },
  ...fields,
});

beforeAll(async () => {
  ada = await person(db(), 'Ada', true);
  ({ id: projectId } = await project(db(), 'Elsewhere'));
  const manifest = await putBlob(db(), storage(), Buffer.from('{}'), { mediaType: 'application/json' });
  const [schema] = await db()
    .select()
    .from(tables.schemaVersions)
    .where(eq(tables.schemaVersions.projectId, projectId));
  versionId = newId();
  await db()
    .insert(tables.versions)
    .values({
      id: versionId,
      projectId,
      number: 1,
      hash: 'f'.repeat(64),
      manifest: manifest.sha256,
      schemaVersionId: schema?.id,
      card: {} as never,
    } as never);
  box = await enrol('box');
});

describe('the key of a trainer', () => {
  it('opens nothing but the work of a trainer', async () => {
    for (const entry of endpoints) {
      if (entry.authorise === 'public' || entry.authorise === 'trainers.work') continue;
      const params = Object.fromEntries(
        [...entry.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name as string, newId()]),
      );
      const body = entry.method === 'GET' ? undefined : {};
      const { status } = await call(entry, { headers: box.headers, params, body });
      expect(status, `${entry.method} ${entry.path}`).toBe(404);
    }
    expect(policy['trainers.work'].scope).toBe('trainers');
  });

  it('is worth nothing without its scope, and nothing when its owner is no admin', async () => {
    const rick = await person(db(), 'Rick');
    for (const key of [await keyOf(db(), ada, 'read', 'runs:write'), await keyOf(db(), rick, 'trainers')]) {
      const headers = withKey(key);
      const body = { name: 'sly', capabilities: { ...machine, gpus: [] } };
      expect((await call(addTrainer, { headers, body })).status).toBe(404);
      expect((await call(takeTrainerRun, { headers, params: { trainer: box.id } })).status).toBe(404);
    }
  });

  it('does not take the name of another machine', async () => {
    const headers = withKey(await keyOf(db(), ada, 'trainers'));
    const body = { name: 'box', capabilities: { ...machine, gpus: [] } };
    expect((await call(addTrainer, { headers, body })).status).toBe(409);
  });
});

describe('a trainer', () => {
  it('gets only what it can train, each run once', async () => {
    const large = await offer('paper-downsampled');
    const small = await offer();
    expect(await take()).toMatchObject({ id: small, attempt: 1, checkpoint: null, told: [] });
    expect(await take()).toBeNull();
    const four = await enrol('four-gpus', [gpu, gpu, gpu, gpu]);
    expect((await take(four)).id).toBe(large);
    // It asked for another one: what it held is lost, and is offered again by who supervises it.
    const [held] = await db().select().from(tables.runs).where(eq(tables.runs.id, small));
    expect(held?.leasedUntil?.getTime()).toBeLessThan(Date.now());
  });

  it('reads what the run needs and nothing else, in parts where it asks for parts', async () => {
    const run = await offer();
    await take();
    const read = (path: string) =>
      about(readTrainerFile, run, { query: `?${new URLSearchParams({ attempt: '1', path })}` });
    for (const path of [
      '../../secrets.json',
      'data/../job.json',
      'log.txt',
      'checkpoints/last.pt',
      '/etc/passwd',
    ])
      expect((await read(path)).status, path).toBe(404);
    const path = readTrainerFile.path.replace('{trainer}', box.id).replace('{run}', run);
    const reply = await readTrainerFile.handle(
      new Request(`${origin}${path}?attempt=1&path=job.json`, {
        headers: { ...box.headers, range: 'bytes=4-' },
      }),
      { trainer: box.id, run },
    );
    expect([reply.status, await reply.text()]).toEqual([206, `json of ${run}`]);
  });

  it('cannot put a file anywhere else, a broken one, or one that is too large', async () => {
    const run = await offer();
    await take();
    const content = Buffer.from('onnx');
    const hostile = [
      '../model.onnx',
      'artifacts/../../model.onnx',
      'artifacts/..',
      '/tmp/model.onnx',
      'job.json',
      'data/manifest.json',
      'artifacts//model.onnx',
      'artifacts/.ssh',
      'artifacts/a\\b',
      'checkpoints/best.pt',
    ];
    for (const name of hostile) expect(await send(run, name, content), name).toBe(400);
    expect(await send(run, 'artifacts/model.onnx', content, { sha256: '0'.repeat(64) })).toBe(400);
    process.env.TESSERA_UPLOAD_GB = '0.000000001';
    expect(await send(run, 'artifacts/model.onnx', content)).toBe(413);
    delete process.env.TESSERA_UPLOAD_GB;
    const files = await db().select().from(tables.runFiles).where(eq(tables.runFiles.runId, run));
    expect(files.map(({ path }) => path).sort()).toEqual([MANIFEST, 'job.json']);
    expect(await send(run, 'artifacts/model.onnx', content)).toBe(200);
    expect(await send(run, 'artifacts/model.onnx', content)).toBe(200);
  });

  it('tells each event once, however often it sends it, and leaves no gap', async () => {
    const run = await offer();
    await take();
    const tell = (...seqs: number[]) =>
      about(sendTrainerEvents, run, { body: { attempt: 1, events: seqs.map((seq) => event(seq)) } });
    expect((await tell(1, 2)).json).toEqual({ lastSeq: 2 });
    expect((await tell(1, 2, 3)).json).toEqual({ lastSeq: 3 });
    expect((await tell(5)).status).toBe(400);
    const bad = { attempt: 1, events: [event(4, { t: 1e12 })] };
    expect((await about(sendTrainerEvents, run, { body: bad })).status).toBe(400);
  });

  it('cannot break what other projects compute from by an event that is none', async () => {
    const run = await offer();
    await take();
    const epoch = { kind: 'metrics', split: 'train', stage: 0, epoch: 3, imagesPerSecond: 10 };
    const told: [object, number][] = [
      [{ ...epoch, imagesPerSecond: 'fast' }, 400],
      [{ ...epoch, epoch: 3.5 }, 400],
      [{ ...epoch, epoch: 3e9 }, 400],
      [{ ...epoch, attempt: 2 }, 400],
      [{ ...epoch, attempt: 2 ** 31 }, 400],
      [{ kind: 'gossip' }, 400],
      [{ message: 'x'.repeat(70_000) }, 400],
      [epoch, 200],
    ];
    for (const [fields, status] of told)
      expect(
        (await about(sendTrainerEvents, run, { body: { attempt: 1, events: [event(1, fields)] } })).status,
        JSON.stringify(fields).slice(0, 80),
      ).toBe(status);
  });

  it('has no say once another attempt began, and none about the runs of others', async () => {
    const run = await offer();
    await take();
    const other = await enrol(`other-${run.slice(-6)}`);
    const verdict = { state: 'failed', error: { message: 'Broken.' }, artifacts: [] };
    const calls: [Endpoint, object][] = [
      [keepTrainerLease, {}],
      [sendTrainerEvents, { events: [event(1)] }],
      [sendTrainerVerdict, { result: verdict }],
      [releaseTrainerRun, {}],
    ];
    for (const [entry, body] of calls)
      expect((await about(entry, run, { body: { attempt: 1, ...body } }, other)).status).toBe(404);
    // The lease ended, the run was offered again, the other machine took it.
    await db().update(tables.runs).set({ leasedUntil: null }).where(eq(tables.runs.id, run));
    expect(await take(other)).toMatchObject({ id: run, attempt: 2 });
    for (const [entry, body] of calls)
      for (const attempt of [1, 2])
        expect((await about(entry, run, { body: { attempt, ...body } })).status).toBe(404);
    for (const [entry, body] of calls)
      expect((await about(entry, run, { body: { attempt: 1, ...body } }, other)).status).toBe(409);
    expect(await send(run, 'artifacts/model.onnx', Buffer.from('late'))).toBe(404);
    expect((await about(keepTrainerLease, run, { body: { attempt: 2 } }, other)).json).toEqual({
      stop: false,
    });
    expect(
      (await about(sendTrainerVerdict, run, { body: { attempt: 2, result: verdict } }, other)).status,
    ).toBe(204);
    expect(
      (await about(sendTrainerVerdict, run, { body: { attempt: 2, result: verdict } }, other)).status,
    ).toBe(409);
  });

  it('goes on after a long silence if nobody took the run', async () => {
    const run = await offer();
    await take();
    await db().update(tables.runs).set({ leasedUntil: null, state: 'queued' }).where(eq(tables.runs.id, run));
    expect((await about(keepTrainerLease, run, { body: { attempt: 1 } })).status).toBe(200);
    const [row] = await db().select().from(tables.runs).where(eq(tables.runs.id, run));
    expect(row).toMatchObject({ state: 'running', attempt: 1 });
    expect(row?.leasedUntil?.getTime()).toBeGreaterThan(Date.now());
  });
});

describe('an admin', () => {
  it('removes a machine that is gone, not one that is there', async () => {
    const headers = withKey(await keyOf(db(), ada, 'admin'));
    const { id } = await enrol('old');
    const remove = () => call(deleteTrainer, { headers, params: { trainer: id } });
    expect((await remove()).status).toBe(409);
    await db()
      .update(tables.trainers)
      .set({ seenAt: sql`now() - interval '3 minutes'` })
      .where(eq(tables.trainers.id, id));
    const { json } = await call(listAllTrainers, { headers });
    expect(json.items.at(-1)).toMatchObject({ name: 'old', state: 'gone', kind: 'remote' });
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    const trail = await db().select().from(tables.auditLog).where(eq(tables.auditLog.subjectId, id));
    expect(trail.map(({ verb }) => verb)).toEqual(['trainer.add', 'trainer.remove']);
  });
});
