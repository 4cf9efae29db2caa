import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, tables } from '@/db';
import { listEvents, listRunFiles } from '@/lib/services/training/runs/keep-events';
import { getRun, listRuns } from '@/lib/services/training/runs/list-runs';
import { Resume, resumeRun } from '@/lib/services/training/runs/resume-run';
import { NewRun, startRuns } from '@/lib/services/training/runs/start-run';
import { endpoint } from '../_http/endpoint';
import { id, moment } from '../_http/fields';

const Run = z.object({
  id,
  name: z.string(),
  versionId: id,
  version: z.number().int(),
  spec: z.record(z.string(), z.unknown()),
  study: id.nullable(),
  state: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
  attempt: z.number().int(),
  launcher: z.enum(tables.launcherKinds),
  classes: z.enum(['class', 'superclass']),
  trainer: z.string().nullable(),
  result: z.record(z.string(), z.unknown()).nullable(),
  modelId: id.nullable(),
  jobId: id.nullable(),
  text: z.string(),
  done: z.number().int(),
  total: z.number().int().nullable(),
  error: z.string().nullable(),
  by: z.string().nullable(),
  at: moment,
  startedAt: moment.nullable(),
  finishedAt: moment.nullable(),
});

async function projectOfRun(db: Db, { run }: { run: string }): Promise<string | undefined> {
  const [row] = await db
    .select({ projectId: tables.runs.projectId })
    .from(tables.runs)
    .where(eq(tables.runs.id, run));
  return row?.projectId;
}

export const listProjectRuns = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/runs',
  summary: 'The training runs of a project, newest first',
  query: z.object({ before: id.optional() }),
  output: z.object({ items: z.array(Run) }),
  authorise: 'project.read',
  handler: async ({ db, access, query }) => ({
    items: await listRuns(db, { projectId: access.project.id, ...query }),
  }),
});

export const startProjectRuns = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/runs',
  summary: 'Train on a version: one run for each seed',
  body: NewRun,
  output: z.object({ items: z.array(z.object({ id, jobId: id, name: z.string() })) }),
  status: 202,
  authorise: 'runs.write',
  handler: async ({ db, actor, access, body }) => ({
    items: await startRuns(db, actor, { projectId: access.project.id, run: body }),
  }),
});

export const readRun = endpoint({
  method: 'GET',
  path: '/api/v1/runs/{run}',
  summary: 'One run, how far it is, and the files it made',
  output: Run.extend({
    files: z.array(z.object({ path: z.string(), sha256: z.string(), bytes: z.number().int() })),
  }),
  authorise: 'project.read',
  projectOf: projectOfRun,
  handler: async ({ db, access, params: { run } }) => ({
    ...(await getRun(db, { projectId: access.project.id, runId: run })),
    files: await listRunFiles(db, run),
  }),
});

export const listRunEvents = endpoint({
  method: 'GET',
  path: '/api/v1/runs/{run}/events',
  summary: 'Events of a run after the event `after`',
  query: z.object({
    after: z.coerce.number().int().min(0).default(0),
    kind: z.string().max(80).optional(),
    limit: z.coerce.number().int().min(1).max(5000).default(1000),
  }),
  output: z.object({
    items: z.array(
      z.object({
        seq: z.number().int(),
        kind: z.string(),
        document: z.record(z.string(), z.unknown()),
        at: moment,
      }),
    ),
  }),
  authorise: 'project.read',
  projectOf: projectOfRun,
  handler: async ({ db, params: { run }, query: { after, kind, limit } }) => ({
    items: await listEvents(db, { runId: run, after, kinds: kind ? [kind] : undefined, limit }),
  }),
});

export const resumeTraining = endpoint({
  method: 'POST',
  path: '/api/v1/runs/{run}/resume',
  summary: 'Go on with a run that was cancelled or that failed, from its last checkpoint',
  query: Resume,
  output: z.object({ jobId: id }),
  status: 202,
  authorise: 'runs.write',
  projectOf: projectOfRun,
  handler: ({ db, actor, access, params: { run }, query }) =>
    resumeRun(db, actor, { projectId: access.project.id, runId: run, ...query }),
});
