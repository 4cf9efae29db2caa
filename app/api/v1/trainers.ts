import { z } from 'zod';
import { storage } from '@/lib/services/storage';
import { serveBlob } from '@/lib/services/storage/serve-blob';
import {
  giveBack,
  keepLease,
  LEASE_SECONDS,
  receiveVerdict,
  trainerOf,
} from '@/lib/services/training/remote/lease';
import { ReportedEvent, receiveEvents, receiveRunFile } from '@/lib/services/training/remote/receive-events';
import { findInput } from '@/lib/services/training/remote/run-inputs';
import { takeRun } from '@/lib/services/training/remote/take-run';
import { RunResult } from '@/lib/services/training/runs/follow-events';
import {
  enrolTrainer,
  listTrainers,
  removeTrainer,
  TrainerFacts,
} from '@/lib/services/training/trainers/list-trainers';
import { endpoint } from '../_http/endpoint';
import { id, moment } from '../_http/fields';
import { bodyStream } from '../_http/input';

const run = '/api/v1/trainers/{trainer}/runs/{run}';

/** Sent with every call: an attempt that lost the run to a later one receives 409 and stops. */
const attempt = z.coerce.number().int().min(1);

/** A test tells what became of every image: tens of megabytes for a large version. */
const LONG_BODY = 64 * 1024 * 1024;

export const keepTrainerLease = endpoint({
  method: 'POST',
  path: `${run}/heartbeat`,
  summary: 'This trainer still holds the run; the answer says whether it is to stop for good',
  body: z.strictObject({ attempt }),
  output: z.object({ stop: z.boolean() }),
  authorise: 'trainers.work',
  handler: async ({ db, actor, params, body }) =>
    keepLease(db, await trainerOf(db, actor, params.trainer), { runId: params.run, ...body }),
});

export const sendTrainerEvents = endpoint({
  method: 'POST',
  path: `${run}/events`,
  summary: 'Events of the trainer, in order of `seq`; sending an event twice has no effect',
  body: z.strictObject({ attempt, events: z.array(ReportedEvent).max(2000) }),
  bodyLimit: LONG_BODY,
  output: z.object({ lastSeq: z.number().int() }),
  authorise: 'trainers.work',
  handler: async ({ db, actor, params, body }) =>
    receiveEvents(
      db,
      await trainerOf(db, actor, params.trainer),
      { runId: params.run, attempt: body.attempt },
      body.events,
    ),
});

export const readTrainerFile = endpoint({
  method: 'GET',
  path: `${run}/files`,
  summary: 'The spec, a file of the snapshot or the last checkpoint; ranges are served',
  query: z.strictObject({ attempt, path: z.string().min(1).max(500) }),
  output: { mediaType: 'application/octet-stream' },
  authorise: 'trainers.work',
  handler: async ({ db, actor, params, query, request }) => {
    const trainer = await trainerOf(db, actor, params.trainer);
    const hold = { runId: params.run, attempt: query.attempt };
    return serveBlob(db, storage(), await findInput(db, trainer, hold, query.path), request);
  },
});

export const sendTrainerFile = endpoint({
  method: 'PUT',
  path: `${run}/files`,
  summary: 'Send an artefact, the log or a checkpoint as the body, checked by its hash',
  query: z.strictObject({
    attempt,
    path: z.string().min(1).max(500),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  body: { mediaType: 'application/octet-stream' },
  output: z.object({ bytes: z.number().int() }),
  authorise: 'trainers.work',
  handler: async ({ db, actor, params, query, request }) => {
    const length = Number(request.headers.get('content-length'));
    return receiveRunFile(
      db,
      storage(),
      await trainerOf(db, actor, params.trainer),
      { runId: params.run, attempt: query.attempt },
      {
        path: query.path,
        sha256: query.sha256,
        source: bodyStream(request),
        contentLength: Number.isFinite(length) ? length : undefined,
      },
    );
  },
});

export const sendTrainerVerdict = endpoint({
  method: 'POST',
  path: `${run}/verdict`,
  summary: 'How the run ended: `result.json` as the trainer wrote it',
  body: z.strictObject({ attempt, result: RunResult }),
  bodyLimit: LONG_BODY,
  output: null,
  authorise: 'trainers.work',
  handler: async ({ db, actor, params, body }) =>
    receiveVerdict(
      db,
      await trainerOf(db, actor, params.trainer),
      { runId: params.run, attempt: body.attempt },
      body.result,
    ),
});

export const releaseTrainerRun = endpoint({
  method: 'POST',
  path: `${run}/release`,
  summary: 'Give the run back: its checkpoint was sent, or its process is lost; another may go on',
  body: z.strictObject({ attempt, lost: z.boolean().default(false) }),
  output: null,
  authorise: 'trainers.work',
  handler: async ({ db, actor, params, body }) =>
    giveBack(
      db,
      await trainerOf(db, actor, params.trainer),
      { runId: params.run, attempt: body.attempt },
      body,
    ),
});

export const listAllTrainers = endpoint({
  method: 'GET',
  path: '/api/v1/trainers',
  summary: 'The machines that train, with what they have and what they do',
  output: z.object({
    items: z.array(
      z.object({
        id,
        name: z.string(),
        kind: z.enum(['local', 'slurm', 'remote']),
        capabilities: TrainerFacts.shape.capabilities.partial(),
        state: z.enum(['idle', 'training', 'gone']),
        run: z.object({ id, name: z.string(), project: z.string() }).nullable(),
        seenAt: moment,
        createdAt: moment,
      }),
    ),
  }),
  authorise: 'trainers.manage',
  handler: async ({ db }) => ({ items: await listTrainers(db) }),
});

export const deleteTrainer = endpoint({
  method: 'DELETE',
  path: '/api/v1/trainers/{trainer}',
  summary: 'Forget a machine that is gone',
  output: null,
  authorise: 'trainers.manage',
  handler: ({ db, actor, params }) => removeTrainer(db, actor, params.trainer),
});

export const addTrainer = endpoint({
  method: 'POST',
  path: '/api/v1/trainers',
  summary: 'Enter this machine as a trainer, or say that it is there again. Called by `tessera worker --gpu`',
  body: TrainerFacts,
  output: z.object({ id, name: z.string(), leaseSeconds: z.number() }),
  authorise: 'trainers.work',
  handler: async ({ db, actor, body }) => ({
    ...(await enrolTrainer(db, actor, body)),
    leaseSeconds: LEASE_SECONDS,
  }),
});

const File = z.object({ path: z.string(), sha256: z.string(), bytes: z.number().int() });

export const takeTrainerRun = endpoint({
  method: 'POST',
  path: '/api/v1/trainers/{trainer}/runs',
  summary: 'Take the oldest run that waits and fits this trainer; null when there is none',
  output: z.object({
    run: z
      .object({
        id,
        name: z.string(),
        attempt: z.number().int(),
        files: z.array(File),
        checkpoint: File.omit({ path: true }).nullable(),
        told: z.array(z.looseObject({ seq: z.number().int() })),
      })
      .nullable(),
  }),
  authorise: 'trainers.work',
  handler: async ({ db, actor, params }) => ({
    run: await takeRun(db, await trainerOf(db, actor, params.trainer)),
  }),
});
