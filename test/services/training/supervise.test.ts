import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { EXPORT_TOLERANCE } from '@/lib/services/inference/check-export';
import { storage } from '@/lib/services/storage';
import { listModelFiles, listModels } from '@/lib/services/training/models';
import { listEvents } from '@/lib/services/training/runs/keep-events';
import { getRun } from '@/lib/services/training/runs/list-runs';
import { resumeRun } from '@/lib/services/training/runs/resume-run';
import { NewRun, startRuns } from '@/lib/services/training/runs/start-run';
import { superviseRun } from '@/lib/services/training/runs/supervise-run';
import { prepareQueues } from '@/workers/jobs';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { labelledProject, patiently } from '../../support/labelled-project';

const db = useDatabase();
const home = useHome();
const rita = systemActor('Rita');
let projectId = '';

const short = {
  'stages.0.epochs': 1,
  'train.batchSize': 8,
  'validate.previews': 2,
  test: '[{"attack":"none","sample":null}]',
};

const start = async (set: Record<string, string | number> = {}) => {
  const run = NewRun.parse({ version: 'latest', set: { ...short, ...set } });
  const [started] = await startRuns(db(), rita, { projectId, run });
  if (!started) throw new Error('One seed is one run.');
  return started;
};

const context = (jobId: string, signal = new AbortController().signal) => ({
  ...patiently(db()),
  jobId,
  signal,
  log: async () => {},
});

beforeAll(async () => {
  await prepareQueues(process.env.DATABASE_URL as string);
  ({ projectId } = await labelledProject(db(), {
    preset: 'part-imagenet',
    slug: 'training',
    count: 24,
    classes: ['Bird', 'Car'],
  }));
  await freezeVersion(patiently(db()), rita, {
    projectId,
    request: FreezeRequest.parse({
      split: { kind: 'stratified', seed: '0', shares: { train: 0.5, val: 0.25, test: 0.25 } },
    }),
  });
});

describe('a researcher trains a model', () => {
  it('sees it learn, and gets a model that answers in onnxruntime as in PyTorch', async () => {
    const { id, jobId } = await start();
    await superviseRun(context(jobId), { runId: id });
    const run = await getRun(db(), { projectId, runId: id });
    expect(run.state).toBe('done');
    const told = await listEvents(db(), { runId: id });
    expect(told.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['start', 'metrics', 'artifact', 'end']),
    );
    expect(told.map(({ seq }) => seq)).toEqual(told.map((_, i) => i + 1));
    const [model] = await listModels(db(), projectId);
    expect(model).toMatchObject({ runId: id, version: 1, state: 'registered' });
    expect(model?.contract).toMatchObject({ classes: ['Bird', 'Car'] });
    const check = Object.entries((model?.contract.check ?? {}) as Record<string, number>);
    expect(check.length).toBeGreaterThan(2);
    for (const [name, apart] of check) expect(apart, name).toBeLessThan(EXPORT_TOLERANCE);
    const files = await listModelFiles(db(), model?.id ?? '');
    expect(files.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['model.json', 'model.grad.onnx']));
    expect(await storage().stat(model?.sha256 ?? '')).not.toBeNull();
  });

  it('cancels it within seconds, and goes on from the checkpoint', async () => {
    const { id, jobId } = await start({ 'stages.0.epochs': 200, 'train.checkpointSeconds': 0 });
    const stopping = new AbortController();
    const running = superviseRun(context(jobId, stopping.signal), { runId: id }).catch((error) =>
      String(error),
    );
    for (let steps = 0; steps === 0; await sleep(200))
      steps = (await listEvents(db(), { runId: id, kinds: ['checkpoint'] })).length;
    await db().update(tables.jobs).set({ cancelRequested: true }).where(eq(tables.jobs.id, jobId));
    stopping.abort();
    expect(await running).toContain('cancelled');
    expect(await getRun(db(), { projectId, runId: id })).toMatchObject({ state: 'cancelled', modelId: null });
    const before = await listEvents(db(), { runId: id });

    // The rest of 200 epochs is not worth waiting for: that it goes on from where it was is what counts.
    const again = await resumeRun(db(), rita, { projectId, runId: id });
    const stoppingAgain = new AbortController();
    const resumed = superviseRun(context(again.jobId, stoppingAgain.signal), { runId: id }).catch(String);
    let begun: Awaited<ReturnType<typeof listEvents>>[number] | undefined;
    for (; !begun; await sleep(200))
      begun = (await listEvents(db(), { runId: id, after: before.length, kinds: ['start'] }))[0];
    expect(begun.document).toMatchObject({ attempt: 2, resumed: true });
    expect(begun.document.resumeStep).toBeGreaterThan(0);
    stoppingAgain.abort();
    // The worker was told to stop, nobody cancelled: the run waits for the next worker.
    expect(await resumed).toContain('goes on');
    expect((await getRun(db(), { projectId, runId: id })).state).toBe('queued');
  });

  it('hears what is wrong, and what to do, when the data cannot train the model', async () => {
    const missing = { kind: 'file', path: '/nowhere/weights.pt', sha256: `sha256:${'0'.repeat(64)}` };
    const { id, jobId } = await start({ 'model.init': JSON.stringify(missing) });
    const failed = await superviseRun(context(jobId), { runId: id }).catch(String);
    expect(String(failed)).toContain('weights.pt');
    const run = await getRun(db(), { projectId, runId: id });
    const log = await readFile(path.join(home(), 'runs', id, 'log.txt'), 'utf8').catch(() => '');
    expect(run.state, log).toBe('failed');
    expect(run.result?.error?.message).toMatch(/\./);
  });

  it('is told about a setting that does not exist, before anything starts', async () => {
    await expect(start({ 'train.speed': 9 })).rejects.toThrow('There is no setting "train.speed"');
    await expect(start({ 'train.cSeg': 2 })).rejects.toThrow('train.cSeg');
    const paper = NewRun.parse({ version: 'latest', preset: 'paper-downsampled' });
    await expect(startRuns(db(), rita, { projectId, run: paper })).rejects.toThrow('made for 4 GPUs');
  });
});
