import { cpSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuild } from '@/bin/start/build';
import { noProgress } from '@/bin/terminal';
import { tables } from '@/db';
import { freePort, isAlive } from '@/db/embedded';
import { renderScene } from '@/lib/demo/pictures';
import { generateScene } from '@/lib/demo/scenes';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { checkFiles } from '@/lib/services/invariants/check-files';
import { checkRules } from '@/lib/services/invariants/check-rules';
import { localDisk } from '@/lib/services/storage';
import { browserOf, origin } from '../app/api/call';
import { person } from '../services/access/people';
import { useDatabase } from '../support/database';
import { useHome } from '../support/home';
import { childrenOf, type Running, startWrapped } from '../support/instance';
import { labelledProject, patiently } from '../support/labelled-project';
import { diskFaults, smallDisk } from '../support/small-disk';

/** Long enough for a machine that is busy with other tests. */
const timeout = 180_000;
const PICTURES = 3;

const db = useDatabase();
const home = useHome();
let running: Running;
let url = '';
let headers: Record<string, string>;
let slug = '';
let version = '';
let files = 0;
const disk = () => smallDisk(home());

const pid = () => running.process.pid as number;
const parts = () => [pid(), ...childrenOf(pid())];

async function api(method: string, at: string, body?: unknown) {
  const isFile = body instanceof Uint8Array;
  const reply = await fetch(`${url}/api/v1${at}`, {
    method,
    headers: { ...headers, ...(body === undefined || isFile ? {} : { 'content-type': 'application/json' }) },
    body: isFile ? new Uint8Array(body) : body === undefined ? undefined : JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  return { status: reply.status, wait: reply.headers.get('retry-after'), json: (await reply.json()) as any };
}

async function picture(): Promise<Uint8Array> {
  files += 1;
  const scene = generateScene({ preset: 'rival10', className: 'bird', seed: files, width: 320, height: 240 });
  return renderScene(scene, { format: 'jpeg', quality: 80 });
}

const startUpload = async (): Promise<string> => (await api('POST', `/projects/${slug}/uploads`, {})).json.id;

async function jobIn(jobId: string, states: readonly string[]) {
  for (;;) {
    const { job } = (await api('GET', `/jobs/${jobId}`)).json;
    if (states.includes(job.state)) return job;
    await sleep(200);
  }
}

const store = () => localDisk(path.join(disk().seen(pid()), 'blobs'));

const broken = async () =>
  [...(await checkRules(db())), ...(await checkFiles(db(), store()))].filter(
    ({ violations }) => violations > 0,
  );

beforeAll(async () => {
  await ensureBuild(noProgress);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  running = startWrapped(disk().wrap, ['start'], {
    DATABASE_URL: process.env.DATABASE_URL as string,
    TESSERA_HOME: home(),
    TESSERA_SECRET: process.env.TESSERA_SECRET as string,
    TESSERA_URL: origin,
    TESSERA_DEMO: 'off',
    TESSERA_TRAINER_INSTALL: 'off',
    PORT: String(port),
  });
  await running.says('Ctrl-C');
  const ada = await person(db(), 'Ada', true);
  headers = await browserOf(ada.email);
  slug = 'small-disk';
  const { projectId } = await labelledProject(db(), { preset: 'part-imagenet', slug, count: PICTURES });
  const request = FreezeRequest.parse({ split: { kind: 'none' } });
  version = (await freezeVersion(patiently(db()), ada, { projectId, request })).versionId;
  // Written by this process, which does not see the disk of the instance at the same path.
  if (disk().kind === 'tmpfs')
    cpSync(path.join(home(), 'blobs'), path.join(disk().seen(pid()), 'blobs'), { recursive: true });
}, timeout);

afterAll(async () => {
  running?.process.kill('SIGTERM');
  await running?.ended;
});

describe.sequential.each(diskFaults.map((fault) => [fault.name, fault] as const))('%s', (_, fault) => {
  let upload = '';
  let before: number[];
  let bytes: Uint8Array;
  let exported = '';
  const send = () => api('PUT', `/projects/${slug}/uploads/${upload}/files?name=late.jpg`, bytes);

  it('refuses an upload and says why; nothing of the file is visible', { timeout }, async () => {
    upload = await startUpload();
    before = parts();
    bytes = await picture();
    fault.begin(home(), before);
    expect(await send()).toMatchObject({
      status: 503,
      wait: '5',
      json: { detail: expect.stringMatching(fault.says) },
    });
    const { uploadFiles } = tables;
    expect(await db().select().from(uploadFiles).where(eq(uploadFiles.uploadId, upload))).toEqual([]);
    expect(readdirSync(path.join(disk().seen(pid()), 'blobs', 'staging'))).toEqual([]);
  });

  it('goes on with what needs no disk, and says that it is not ready', { timeout }, async () => {
    expect((await api('GET', `/projects/${slug}/images`)).json.items).toHaveLength(PICTURES);
    const ready = await fetch(`${url}/api/ready`);
    expect([ready.status, Object.keys((await ready.json()).reasons)]).toEqual([503, ['storage']]);
  });

  it('interrupts an export, which says why', { timeout }, async () => {
    const wanted = { format: 'coco', options: {} };
    const started = await api('POST', `/versions/${version}/exports`, wanted);
    expect(started).toMatchObject({ status: 202 });
    exported = started.json.jobId;
    const job = await jobIn(exported, ['retrying', 'failed', 'done']);
    expect(job.state).toBe('retrying');
    expect(job.error).toMatch(fault.says);
  });

  it('ends no process', () => {
    expect(before.every(isAlive)).toBe(true);
    expect(parts()).toEqual(before);
  });

  it('once it is over, the same file is taken and the export ends by itself', { timeout }, async () => {
    fault.end(home(), before);
    expect((await send()).status).toBe(200);
    expect(await jobIn(exported, ['done', 'failed'])).toMatchObject({ state: 'done' });
    expect((await fetch(`${url}/api/ready`)).status).toBe(200);
    expect(parts()).toEqual(before);
    expect(await broken()).toEqual([]);
  });
});
