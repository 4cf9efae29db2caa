import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { tables } from '@/db';
import type { JobSpec } from '@/lib/core/training-spec';
import { storage } from '@/lib/services/storage';
import { remoteLauncher } from '@/lib/services/training/launch/remote';
import { listInputs, MANIFEST } from '@/lib/services/training/remote/run-inputs';
import { takeRun } from '@/lib/services/training/remote/take-run';
import { keepEvents } from '@/lib/services/training/runs/keep-events';
import { getRun } from '@/lib/services/training/runs/list-runs';
import { dropStale, runFolder } from '@/lib/services/training/runs/prepare-run';
import { registerModel } from '@/lib/services/training/runs/register-model';
import { resumeRun, settleOrphanedRuns } from '@/lib/services/training/runs/resume-run';
import { superviseRun } from '@/lib/services/training/runs/supervise-run';
import { recordTrainer } from '@/lib/services/training/trainers/list-trainers';
import { prepareQueues } from '@/workers/jobs';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { fileRow, runRow, versionRow } from './run-rows';
import { jobContext, rita } from './story';

const db = useDatabase();
useHome();
let of: Awaited<ReturnType<typeof versionRow>>;

beforeAll(async () => {
  await prepareQueues(process.env.DATABASE_URL as string);
  of = await versionRow(db());
});

async function rowOf(runId: string) {
  const [row] = await db().select().from(tables.runs).where(eq(tables.runs.id, runId));
  return row;
}

const told = (runId: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => ({
    ...{ seq: from + at, t: 1.7e9 + at, attempt: 1, kind: 'note', message: runId },
  }));

describe('a run whose job is over without any worker having seen to it', () => {
  it.each(['cancelled', 'failed'] as const)(
    'is %s, not running for ever, and can be resumed',
    async (job) => {
      const run = await runRow(db(), of, { launcher: 'remote', job });
      await fileRow(db(), run.id, MANIFEST);
      expect((await getRun(db(), { ...of, runId: run.id })).state).toBe(job);
      expect(await settleOrphanedRuns(db())).toBe(1);
      expect(await rowOf(run.id)).toMatchObject({ state: job });
      expect(await listInputs(db(), run.id)).toEqual([]);
      const { jobId } = await resumeRun(db(), rita, { ...of, runId: run.id });
      expect(await rowOf(run.id)).toMatchObject({ state: 'queued', jobId });
      expect(await settleOrphanedRuns(db())).toBe(0);
    },
  );

  it('is left to a worker that may still be at it', async () => {
    const run = await runRow(db(), of, { job: 'cancelled', ago: 0 });
    expect(await settleOrphanedRuns(db())).toBe(0);
    expect(await rowOf(run.id)).toMatchObject({ state: 'running' });
  });

  it.each(['cancelled', 'failed'] as const)('is not given to a machine elsewhere when %s', async (job) => {
    const box = await recordTrainer(db(), {
      name: `box-${job}`,
      kind: 'remote',
      capabilities: { python: 'p', torch: '2', gpus: [], processors: 1, memoryGb: 64, missing: null },
    });
    const [trainer] = await db()
      .select()
      .from(tables.trainers)
      .where(eq(tables.trainers.id, box?.id ?? ''));
    if (!trainer) throw new Error('The trainer is there.');
    const over = await runRow(db(), of, { launcher: 'remote', state: 'queued', job, ago: 0 });
    const waiting = await runRow(db(), of, { launcher: 'remote', state: 'queued' });
    for (const { id } of [over, waiting]) await fileRow(db(), id, MANIFEST);
    expect((await takeRun(db(), trainer))?.id).toBe(waiting.id);
    expect(await takeRun(db(), trainer)).toBeNull();
  });
});

describe('a worker that was thought dead', () => {
  it('does not touch a run that was resumed with another job', async () => {
    const run = await runRow(db(), of);
    const old = await runRow(db(), of);
    await superviseRun(jobContext(db(), old.jobId), { runId: run.id });
    expect(await rowOf(run.id)).toMatchObject({ state: 'running', attempt: 0, finishedAt: null });
    expect(existsSync(runFolder(run.id))).toBe(false);
  });

  it('does not write its failure over what another does with the same job', async () => {
    const run = await runRow(db(), of, { launcher: 'remote' });
    const context = { ...jobContext(db(), run.jobId), isHeld: async () => false };
    // There is no such version in the store: it fails while it prepares.
    await expect(superviseRun(context, { runId: run.id })).rejects.toThrow();
    expect(await rowOf(run.id)).toMatchObject({ state: 'running' });
    await expect(superviseRun(jobContext(db(), run.jobId), { runId: run.id })).rejects.toThrow();
    expect((await rowOf(run.id))?.state).not.toBe('running');
  });

  it('registers no second model', async () => {
    const run = await runRow(db(), of);
    await fileRow(db(), run.id, 'artifacts/model.onnx');
    await fileRow(db(), run.id, 'artifacts/model.json', '{}');
    const result = { state: 'succeeded' as const, artifacts: [] };
    const context = { ...jobContext(db(), run.jobId), storage: storage() };
    const made = await Promise.all([1, 2, 3].map(() => registerModel(context, run, result, {})));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  });
});

describe('a run that returns to a machine', () => {
  it('does not go on from the checkpoint it left there, when another has gone further', async () => {
    const run = await runRow(db(), of);
    const folder = runFolder(run.id);
    const checkpoint = path.join(folder, 'checkpoints', 'last.pt');
    mkdirSync(path.dirname(checkpoint), { recursive: true });
    writeFileSync(checkpoint, 'old');
    const lines = told(run.id, 1, 5).map((event) => `${JSON.stringify(event)}\n`);
    writeFileSync(path.join(folder, 'events.jsonl'), lines.join(''));
    await keepEvents(db(), run.id, told(run.id, 1, 5));
    const newer = { ...run, checkpoint: 'f'.repeat(64) };
    await dropStale(db(), newer, folder);
    expect(readFileSync(checkpoint, 'utf8')).toBe('old');
    await keepEvents(db(), run.id, told(run.id, 6, 6));
    await dropStale(db(), { ...run, checkpoint: null }, folder);
    expect(existsSync(checkpoint)).toBe(true);
    await dropStale(db(), newer, folder);
    expect(existsSync(checkpoint)).toBe(false);
    expect(existsSync(path.join(folder, 'events.jsonl'))).toBe(false);
  });
});

it('a verdict that arrives while the run is offered again is not wiped', async () => {
  const run = await runRow(db(), of, { launcher: 'remote' });
  const folder = runFolder(run.id);
  mkdirSync(path.join(folder, 'data'), { recursive: true });
  for (const [name, content] of [
    ['job.json', {}],
    ['data.json', { path: 'data' }],
    ['data/manifest.json', { files: {} }],
  ] as const)
    writeFileSync(path.join(folder, name), JSON.stringify(content));
  const submitAfter = async (state: string) => {
    await db()
      .update(tables.runs)
      .set({ result: { state, artifacts: [] } })
      .where(eq(tables.runs.id, run.id));
    await remoteLauncher.submit(folder, (run.spec as unknown as JobSpec).resources);
    return (await rowOf(run.id))?.result;
  };
  expect(await submitAfter('succeeded')).toMatchObject({ state: 'succeeded' });
  expect(await submitAfter('preempted')).toBeNull();
});

it('events that piled up while the database was away are stored', async () => {
  const run = await runRow(db(), of);
  await keepEvents(db(), run.id, told(run.id, 1, 14_000));
  const rows = await db().$count(tables.runEvents, eq(tables.runEvents.runId, run.id));
  expect(rows).toBe(14_000);
});
