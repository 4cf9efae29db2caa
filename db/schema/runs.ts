import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { createdAt, id, moment } from './columns';
import { versions } from './datasets';
import { blobs } from './images';
import { projects } from './projects';
import { apiKeys, users } from './users';
import { isWorkState, workStates } from './work-states';

export const launcherKinds = ['local', 'slurm', 'remote'] as const;

/** A training job on a version. */
export const runs = pgTable(
  'runs',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    versionId: uuid('version_id')
      .notNull()
      .references(() => versions.id),
    name: text('name').notNull(),
    /** What the trainer reads; written once. */
    spec: jsonb('spec').$type<Record<string, unknown>>().notNull(),
    /** How the version becomes a snapshot: which classes are told apart. */
    options: jsonb('options').$type<Record<string, unknown>>().notNull().default({}),
    /** Runs that differ in their seed, or in one setting, and are read together. */
    study: text('study'),
    state: text('state', { enum: workStates }).notNull().default('queued'),
    /** How often it was begun; a later attempt goes on from the last checkpoint. */
    attempt: integer('attempt').notNull().default(0),
    /** How it gets a process: by a worker of this instance, by Slurm, or by a trainer elsewhere that asks for it. */
    launcher: text('launcher', { enum: launcherKinds }).notNull().default('local'),
    /** Where it runs: the name of a trainer. */
    trainer: text('trainer'),
    /** A trainer elsewhere holds the run until then; afterwards another may take it. */
    leasedUntil: moment('leased_until'),
    /** The newest checkpoint, so that another machine can go on. */
    checkpoint: text('checkpoint').references(() => blobs.sha256),
    /** The trainer's verdict as it wrote it. */
    result: jsonb('result').$type<Record<string, unknown>>(),
    jobId: uuid('job_id'),
    startedAt: moment('started_at'),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    finishedAt: moment('finished_at'),
  },
  (t) => [
    index('runs_project').on(t.projectId, t.id),
    index('runs_version').on(t.versionId),
    index('runs_checkpoint').on(t.checkpoint),
    index('runs_study').on(t.projectId, t.study).where(sql`study is not null`),
    index('runs_to_take').on(t.createdAt).where(sql`launcher = 'remote' and state in ('queued', 'running')`),
    check('runs_state', isWorkState(t.state)),
    check('runs_launcher', sql`${t.launcher} in ('local', 'slurm', 'remote')`),
  ],
);

/** What a trainer told while it worked, line by line; of two attempts at one step the later counts. */
export const runEvents = pgTable(
  'run_events',
  {
    runId: uuid('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    /** Strictly increasing over all attempts. */
    seq: integer('seq').notNull(),
    kind: text('kind').notNull(),
    document: jsonb('document').$type<Record<string, unknown>>().notNull(),
    at: moment('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.seq] }), index('run_events_kind').on(t.runId, t.kind, t.seq)],
);

/** What a trainer made: previews, the log, the files of the model. */
export const runFiles = pgTable(
  'run_files',
  {
    runId: uuid('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    /** Relative to the job directory. */
    path: text('path').notNull(),
    blob: text('blob')
      .notNull()
      .references(() => blobs.sha256),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.path] }), index('run_files_blob').on(t.blob)],
);

/** A machine that trains: a worker of this instance, or one elsewhere that asks for runs. */
export const trainers = pgTable(
  'trainers',
  {
    id: id(),
    name: text('name').notNull(),
    kind: text('kind', { enum: launcherKinds }).notNull(),
    /** The key it signs in with; a trainer elsewhere only. */
    keyId: uuid('key_id').references(() => apiKeys.id, { onDelete: 'set null' }),
    /** torch, GPUs and their memory, processors, memory. */
    capabilities: jsonb('capabilities').$type<Record<string, unknown>>().notNull(),
    seenAt: moment('seen_at').notNull().default(sql`now()`),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('trainers_name').on(t.name),
    index('trainers_key').on(t.keyId),
    check('trainers_kind', sql`${t.kind} in ('local', 'slurm', 'remote')`),
  ],
);
