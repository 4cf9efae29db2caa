import { z } from 'zod';
import { jobStates } from '@/db/schema';
import { id, moment } from '../../_http/fields';

export const JobFields = z.object({
  id,
  kind: z.string(),
  title: z.string(),
  state: z.enum(jobStates),
  done: z.number().int(),
  /** Null while it is not known how much there is to do. */
  total: z.number().int().nullable(),
  text: z.string(),
  attempt: z.number().int(),
  cancelRequested: z.boolean(),
  error: z.string().nullable(),
  result: z.record(z.string(), z.unknown()).nullable(),
  projectId: id.nullable(),
  /** Of the request that started it; the same in the logs. Null: nobody asked for it. */
  requestId: z.string().nullable(),
  createdAt: moment,
  startedAt: moment.nullable(),
  updatedAt: moment,
  finishedAt: moment.nullable(),
});

export const ListedJob = JobFields.extend({
  projectSlug: z.string().nullable(),
  projectName: z.string().nullable(),
  startedByName: z.string().nullable(),
});

export const JobLogLine = z.object({
  seq: z.number().int(),
  level: z.enum(['info', 'warn', 'error']),
  text: z.string(),
  createdAt: moment,
});
