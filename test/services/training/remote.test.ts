import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { EXPORT_TOLERANCE } from '@/lib/services/inference/check-export';
import { listModels } from '@/lib/services/training/models';
import { listInputs } from '@/lib/services/training/remote/run-inputs';
import { listEvents } from '@/lib/services/training/runs/keep-events';
import { getRun } from '@/lib/services/training/runs/list-runs';
import { NewRun, startRuns } from '@/lib/services/training/runs/start-run';
import { superviseRun } from '@/lib/services/training/runs/supervise-run';
import { listTrainers } from '@/lib/services/training/trainers/list-trainers';
import { prepareQueues } from '@/workers/jobs';
import { type ApiServer, serveApi } from '../../support/api-server';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { type Running, startTessera } from '../../support/instance';
import { labelledProject, patiently } from '../../support/labelled-project';
import { keyOf, person } from '../access/people';
import { checkpointIn } from './story';

const db = useDatabase();
useHome();
const rita = systemActor('Rita');
const machines = mkdtempSync(path.join(os.tmpdir(), 'tessera-machines-'));
const agents: Running[] = [];
let projectId = '';
let key = '';
let server: ApiServer;

/** Long enough to be interrupted, short enough to wait for. */
const settings = {
  'stages.0.epochs': 16,
  'train.batchSize': 4,
  'train.checkpointSeconds': 0,
  'validate.previews': 2,
  'validate.every': 20,
  test: '[{"attack":"none","sample":null}]',
};

async function begin(set: Record<string, string | number> = {}) {
  const run = NewRun.parse({ version: 'latest', launcher: 'remote', set: { ...settings, ...set } });
  const [started] = await startRuns(db(), rita, { projectId, run });
  if (!started) throw new Error('One seed is one run.');
  const stopping = new AbortController();
  const job = { ...patiently(db()), jobId: started.jobId, signal: stopping.signal, log: async () => {} };
  const ended = superviseRun(job, { runId: started.id }).catch(String);
  return { ...started, stopping, ended };
}

/** Another machine: its own folders, no database, only the address and a key. */
function agent(name: string): Running {
  const folder = path.join(machines, name);
  const running = startTessera(
    ['worker', '--gpu', '--server', server.url, '--name', name, '--folder', folder],
    {
      TESSERA_KEY: key,
      TESSERA_HOME: path.join(folder, 'home'),
    },
  );
  agents.push(running);
  return running;
}

/** The power of the machine is cut: agent and trainer are gone at once. */
function killMachine(name: string, running: Running, runId: string): void {
  running.process.kill('SIGKILL');
  signalTrainer(name, runId, 'SIGKILL');
}

const folderOn = (name: string, runId: string) => path.join(machines, name, 'runs', runId);

function signalTrainer(name: string, runId: string, signal: NodeJS.Signals): void {
  const handle = path.join(folderOn(name, runId), 'process.json');
  for (const pid of (JSON.parse(readFileSync(handle, 'utf8')) as { pids: number[] }).pids)
    process.kill(pid, signal);
}

async function rowOf(runId: string) {
  const [row] = await db().select().from(tables.runs).where(eq(tables.runs.id, runId));
  if (!row) throw new Error('The run is there.');
  return row;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(100);
}

const hasCheckpoint = async (runId: string) => (await rowOf(runId)).checkpoint !== null;

beforeAll(async () => {
  await prepareQueues(process.env.DATABASE_URL as string);
  ({ projectId } = await labelledProject(db(), {
    preset: 'part-imagenet',
    slug: 'elsewhere',
    count: 16,
    classes: ['Bird', 'Car'],
  }));
  await freezeVersion(patiently(db()), rita, {
    projectId,
    request: FreezeRequest.parse({
      split: { kind: 'stratified', seed: '0', shares: { train: 0.5, val: 0.25, test: 0.25 } },
    }),
  });
  key = await keyOf(db(), await person(db(), 'Ada', true), 'trainers');
  server = await serveApi();
});

afterAll(async () => {
  for (const { process: child } of agents) child.kill('SIGTERM');
  await Promise.all(agents.map(({ ended }) => ended));
  await server?.close();
  rmSync(machines, { recursive: true, force: true });
});

describe('a researcher trains on machines elsewhere', () => {
  let uninterrupted: unknown;

  it('gets the model although the network was gone for a while', async () => {
    agent('box1');
    const { id, ended } = await begin();
    await until(() => hasCheckpoint(id));
    server.isCut = true;
    await sleep(2000);
    server.isCut = false;
    expect(await ended).toMatchObject({ runId: id });
    const run = await getRun(db(), { projectId, runId: id });
    expect(run).toMatchObject({ state: 'done', trainer: 'box1', attempt: 1 });
    const told = await listEvents(db(), { runId: id });
    expect(told.map(({ seq }) => seq)).toEqual(told.map((_, at) => at + 1));
    const model = (await listModels(db(), projectId)).find(({ runId }) => runId === id);
    for (const [name, apart] of Object.entries((model?.contract.check ?? {}) as Record<string, number>))
      expect(apart, name).toBeLessThan(EXPORT_TOLERANCE);
    expect(Object.keys(model?.contract.check ?? {}).length).toBeGreaterThan(2);
    expect(await listInputs(db(), id)).toEqual([]);
    uninterrupted = scores(run.result?.metrics);
  });

  it('gets the same numbers when the machine dies and another one goes on', async () => {
    const { id, ended } = await begin();
    // A fast machine would be done before its checkpoint is heard of: it waits for that.
    await checkpointIn(folderOn('box1', id));
    signalTrainer('box1', id, 'SIGSTOP');
    await until(() => hasCheckpoint(id));
    killMachine('box1', agents[0] as Running, id);
    agent('box2');
    // A minute passes.
    await db()
      .update(tables.runs)
      .set({ leasedUntil: new Date(Date.now() - 1000) })
      .where(eq(tables.runs.id, id));
    expect(await ended).toMatchObject({ runId: id });
    const run = await getRun(db(), { projectId, runId: id });
    expect(run).toMatchObject({ state: 'done', trainer: 'box2', attempt: 2 });
    const starts = await listEvents(db(), { runId: id, kinds: ['start'] });
    expect(starts.at(-1)?.document).toMatchObject({ attempt: 2, resumed: true });
    expect(scores(run.result?.metrics)).toEqual(uninterrupted);
  });

  it('loses nothing when an agent is stopped, and nothing when the run is cancelled', async () => {
    const { id, jobId, stopping, ended } = await begin({ 'stages.0.epochs': 400 });
    await until(() => hasCheckpoint(id));
    const listed = await listTrainers(db());
    expect(listed.find(({ name }) => name === 'box1')).toMatchObject({ kind: 'remote', run: null });
    expect(listed.find(({ name }) => name === 'box2')).toMatchObject({ state: 'training', run: { id } });
    const box2 = agents.at(-1) as Running;
    const before = (await rowOf(id)).checkpoint;
    box2.process.kill('SIGTERM');
    expect(await box2.ended, box2.output()).toBe(0);
    const given = await rowOf(id);
    expect(given).toMatchObject({ state: 'queued', leasedUntil: null, attempt: 1, result: null });
    expect(given.checkpoint).not.toBe(before);

    agent('box1');
    await until(async () => (await listEvents(db(), { runId: id, kinds: ['start'] })).length === 2);
    await db().update(tables.jobs).set({ cancelRequested: true }).where(eq(tables.jobs.id, jobId));
    stopping.abort();
    expect(await ended).toContain('cancelled');
    expect(await rowOf(id)).toMatchObject({ state: 'cancelled', attempt: 2, trainer: 'box1' });
    expect(await hasCheckpoint(id)).toBe(true);
    await until(async () => !existsSync(folderOn('box1', id)));
  });
});

/** What does not depend on how long it took. */
function scores(metrics: Record<string, unknown> | null | undefined) {
  return JSON.parse(
    JSON.stringify(metrics, (name, value) => (/seconds/i.test(name) ? undefined : value)),
  ) as unknown;
}
