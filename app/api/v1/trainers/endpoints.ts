import { z } from 'zod';
import { LEASE_SECONDS, trainerOf } from '@/lib/services/training/remote/lease';
import { takeRun } from '@/lib/services/training/remote/take-run';
import {
  enrolTrainer,
  listTrainers,
  removeTrainer,
  TrainerFacts,
} from '@/lib/services/training/trainers/list-trainers';
import { endpoint } from '../../_http/endpoint';
import { id, moment } from '../../_http/fields';

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
