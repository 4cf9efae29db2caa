import { sql } from 'drizzle-orm';
import { bigserial, boolean, check, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt, id, moment } from './columns';
import { projects } from './projects';
import { users } from './users';

export const jobStates = ['queued', 'running', 'retrying', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof jobStates)[number];

/**
 * What people see of a job. pg-boss owns delivery (its own schema, same id); this row owns progress,
 * outcome and rights, and is written in the same transaction that enqueues.
 */
export const jobs = pgTable(
  'jobs',
  {
    id: id(),
    kind: text('kind').notNull(),
    title: text('title').notNull(),
    projectId: uuid('project_id').references(() => projects.id, { onDelete: 'cascade' }),
    startedBy: uuid('started_by').references(() => users.id, { onDelete: 'set null' }),
    /** Of the request that started it, or that started the job that did: the same in every log. */
    requestId: text('request_id'),
    state: text('state', { enum: jobStates }).notNull().default('queued'),
    done: integer('done').notNull().default(0),
    total: integer('total'),
    text: text('text').notNull().default(''),
    attempt: integer('attempt').notNull().default(0),
    cancelRequested: boolean('cancel_requested').notNull().default(false),
    error: text('error'),
    result: jsonb('result').$type<Record<string, unknown>>(),
    createdAt: createdAt(),
    startedAt: moment('started_at'),
    updatedAt: moment('updated_at').notNull().default(sql`now()`),
    finishedAt: moment('finished_at'),
  },
  (t) => [
    index('jobs_page').on(t.id.desc()),
    index('jobs_project').on(t.projectId, t.id.desc()),
    index('jobs_active').on(t.id).where(sql`state in ('queued', 'running', 'retrying')`),
    index('jobs_failed').on(t.id).where(sql`state = 'failed'`),
    check('jobs_state', sql`${t.state} in ('queued', 'running', 'retrying', 'done', 'failed', 'cancelled')`),
    check(
      'jobs_finished',
      sql`(${t.state} in ('done', 'failed', 'cancelled')) = (${t.finishedAt} is not null)`,
    ),
    check('jobs_error', sql`${t.state} <> 'failed' or ${t.error} is not null`),
  ],
);

export const jobLogs = pgTable(
  'job_logs',
  {
    seq: bigserial('seq', { mode: 'number' }).primaryKey(),
    jobId: uuid('job_id')
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    level: text('level', { enum: ['info', 'warn', 'error'] }).notNull(),
    text: text('text').notNull(),
    createdAt: createdAt(),
  },
  (t) => [index('job_logs_job').on(t.jobId, t.seq)],
);

/** Who did what when. Append-only; survives the deletion of what it speaks about. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: id(),
    actorId: uuid('actor_id'),
    actor: text('actor').notNull(),
    projectId: uuid('project_id'),
    verb: text('verb').notNull(),
    subject: text('subject').notNull(),
    subjectId: text('subject_id'),
    detail: jsonb('detail').$type<Record<string, unknown>>().notNull().default({}),
    requestId: text('request_id'),
    createdAt: createdAt(),
  },
  (t) => [
    index('audit_log_page').on(t.id.desc()),
    index('audit_log_project').on(t.projectId, t.id.desc()),
    index('audit_log_actor').on(t.actorId, t.id.desc()),
  ],
);

/** One row per fact about this installation (which demo was made, when the collector last ran). */
export const settings = pgTable('settings', {
  key: text('key').primaryKey(),
  value: jsonb('value').notNull(),
  updatedAt: moment('updated_at').notNull().default(sql`now()`),
});
