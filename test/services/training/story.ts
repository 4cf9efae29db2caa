import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { listModels } from '@/lib/services/training/models';
import { listEvents } from '@/lib/services/training/runs/keep-events';
import { NewRun, startRuns } from '@/lib/services/training/runs/start-run';
import { prepareQueues } from '@/workers/jobs';
import { labelledProject, patiently } from '../../support/labelled-project';

export const rita = systemActor('Rita');

/** A run that is over in seconds. */
export const short = {
  'stages.0.epochs': 2,
  'train.batchSize': 8,
  'train.checkpointSeconds': 0,
  'validate.previews': 2,
  test: '[{"attack":"none","sample":null}]',
};

/** A version of 24 pictures of two classes, to train on. */
export async function trainingProject(db: Database, slug: string): Promise<string> {
  await prepareQueues(process.env.DATABASE_URL as string);
  const { projectId } = await labelledProject(db, {
    preset: 'part-imagenet',
    slug,
    count: 24,
    classes: ['Bird', 'Car'],
  });
  await freezeVersion(patiently(db), rita, {
    projectId,
    request: FreezeRequest.parse({
      split: { kind: 'stratified', seed: '0', shares: { train: 0.5, val: 0.25, test: 0.25 } },
    }),
  });
  return projectId;
}

type Start = Partial<NewRun> & { set?: Record<string, string | number> };

export async function startShort(db: Database, projectId: string, { set, ...run }: Start = {}) {
  const wanted = NewRun.parse({ version: 'latest', ...run, set: { ...short, ...set } });
  const [started] = await startRuns(db, rita, { projectId, run: wanted });
  if (!started) throw new Error('One seed is one run.');
  return started;
}

/** What a worker gives the handler of a job. */
export const jobContext = (db: Database, jobId: string, signal = new AbortController().signal) => ({
  ...patiently(db),
  jobId,
  signal,
  log: async () => {},
});

export const cancelJob = (db: Database, jobId: string) =>
  db.update(tables.jobs).set({ cancelRequested: true }).where(eq(tables.jobs.id, jobId));

/** Waits until a run has told something. */
export async function waitForEvent(db: Database, runId: string, kind: string, after = 0) {
  for (;;) {
    const [event] = await listEvents(db, { runId, after, kinds: [kind], limit: 1 });
    if (event) return event;
    await sleep(100);
  }
}

/** Waits for the first checkpoint in the directory itself: through the database a fast machine would be done by then. */
export async function checkpointIn(folder: string): Promise<void> {
  for (;;) {
    const told = await readFile(path.join(folder, 'events.jsonl'), 'utf8').catch(() => '');
    if (told.includes('"kind": "checkpoint"')) return;
    await sleep(5);
  }
}

/** The hash of the ONNX file that a run made. */
export async function modelOf(db: Database, projectId: string, runId: string): Promise<string> {
  const model = (await listModels(db, projectId)).find((each) => each.runId === runId);
  if (!model) throw new Error('The run made no model.');
  return model.sha256;
}
