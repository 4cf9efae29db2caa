import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { createdAt, id, moment } from './columns';
import { blobs, images } from './images';
import { projects, schemaVersions } from './projects';
import { apiKeys, users } from './users';
import { leases } from './work';

/** A frozen dataset. The hash is that of its manifest: the same content gives the same name. */
export const versions = pgTable(
  'versions',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    hash: text('hash').notNull(),
    description: text('description').notNull().default(''),
    schemaVersionId: uuid('schema_version_id')
      .notNull()
      .references(() => schemaVersions.id),
    manifest: text('manifest')
      .notNull()
      .references(() => blobs.sha256),
    licence: text('licence').notNull().default(''),
    imageCount: integer('image_count').notNull().default(0),
    labelCount: integer('label_count').notNull().default(0),
    card: jsonb('card').$type<Record<string, unknown>>().notNull(),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('versions_number').on(t.projectId, t.number),
    uniqueIndex('versions_hash').on(t.projectId, t.hash),
    index('versions_manifest').on(t.manifest),
  ],
);

/** Which images a version is made of, in the order of its manifest. What they were then is in the manifest. */
export const versionImages = pgTable(
  'version_images',
  {
    versionId: uuid('version_id')
      .notNull()
      .references(() => versions.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    imageId: uuid('image_id')
      .notNull()
      .references(() => images.id, { onDelete: 'cascade' }),
    split: text('split').notNull(),
    className: text('class_name'),
    /** The pixels as they were then: a version outlives what happens to its images. */
    blob: text('blob')
      .notNull()
      .references(() => blobs.sha256),
  },
  (t) => [
    primaryKey({ columns: [t.versionId, t.position] }),
    index('version_images_image').on(t.imageId),
    index('version_images_blob').on(t.blob),
    check('version_images_position', sql`${t.position} >= 0`),
  ],
);

/** A name for a version that may move to another one: "paper", "latest-good". */
export const versionTags = pgTable(
  'version_tags',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    versionId: uuid('version_id')
      .notNull()
      .references(() => versions.id, { onDelete: 'cascade' }),
    tag: text('tag').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('version_tags_tag').on(t.projectId, t.tag),
    index('version_tags_version').on(t.versionId),
    check('version_tags_word', sql`${t.tag} ~ '^[a-z0-9][a-z0-9._-]{0,39}$' and ${t.tag} !~ '^[0-9]+$'`),
  ],
);

/** What people found out about a version later; append-only. One that names a successor supersedes. */
export const versionNotes = pgTable(
  'version_notes',
  {
    id: id(),
    versionId: uuid('version_id')
      .notNull()
      .references(() => versions.id, { onDelete: 'cascade' }),
    text: text('text').notNull(),
    supersededBy: uuid('superseded_by').references(() => versions.id, { onDelete: 'cascade' }),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    index('version_notes_version').on(t.versionId, t.id),
    index('version_notes_successor').on(t.supersededBy),
    check('version_notes_text', sql`${t.text} <> '' or ${t.supersededBy} is not null`),
  ],
);

/** Statistics of a version, computed once: a version never changes. */
export const versionStatistics = pgTable('version_statistics', {
  versionId: uuid('version_id')
    .primaryKey()
    .references(() => versions.id, { onDelete: 'cascade' }),
  document: jsonb('document').$type<Record<string, unknown>>().notNull(),
  createdAt: createdAt(),
});

export const workStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
const isWorkState = (column: unknown) =>
  sql`${column} in ('queued', 'running', 'done', 'failed', 'cancelled')`;

/** A version written in a format. */
export const exports = pgTable(
  'exports',
  {
    id: id(),
    versionId: uuid('version_id')
      .notNull()
      .references(() => versions.id, { onDelete: 'cascade' }),
    format: text('format').notNull(),
    options: jsonb('options').$type<Record<string, unknown>>().notNull().default({}),
    /** What was written, once it is whole; how far it is until then, the job says. */
    blob: text('blob').references(() => blobs.sha256),
    bytes: bigint('bytes', { mode: 'number' }),
    files: integer('files'),
    /** What the format cannot hold, as it was told before the export began. */
    losses: text('losses').array().notNull().default(sql`'{}'`),
    jobId: uuid('job_id'),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    index('exports_version').on(t.versionId, t.id),
    index('exports_blob').on(t.blob),
    check('exports_whole', sql`(${t.blob} is null) = (${t.bytes} is null)`),
  ],
);

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

/** An ONNX file with its contract (classes, input size, preprocessing, outputs). */
export const models = pgTable(
  'models',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    runId: uuid('run_id').references(() => runs.id),
    name: text('name').notNull(),
    blob: text('blob')
      .notNull()
      .references(() => blobs.sha256),
    contract: jsonb('contract').$type<Record<string, unknown>>().notNull(),
    state: text('state', { enum: ['registered', 'promoted', 'archived'] })
      .notNull()
      .default('registered'),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('models_name').on(t.projectId, t.name),
    uniqueIndex('models_run').on(t.runId),
    index('models_blob').on(t.blob),
    check('models_state', sql`${t.state} in ('registered', 'promoted', 'archived')`),
  ],
);

/** Further files of a model: the gradient graph, the card, the checkpoint it was made from. */
export const modelFiles = pgTable(
  'model_files',
  {
    modelId: uuid('model_id')
      .notNull()
      .references(() => models.id, { onDelete: 'cascade' }),
    kind: text('kind').notNull(),
    blob: text('blob')
      .notNull()
      .references(() => blobs.sha256),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.modelId, t.kind] }), index('model_files_blob').on(t.blob)],
);

/** What a model says about an image: for suggestions, for the order of the audit and for what to ask next. */
export const predictions = pgTable(
  'predictions',
  {
    modelId: uuid('model_id')
      .notNull()
      .references(() => models.id, { onDelete: 'cascade' }),
    imageId: uuid('image_id')
      .notNull()
      .references(() => images.id, { onDelete: 'cascade' }),
    className: text('class_name').notNull(),
    /** Probability of each class, in the order of the model's contract. */
    scores: real('scores').array().notNull(),
    /** 0 where the model is sure, 1 where every class is as likely. */
    uncertainty: real('uncertainty').notNull(),
    /** Compressed COCO counts by part, in pixels of the image. */
    masks: jsonb('masks').$type<Record<string, string>>().notNull().default({}),
    /** The pooled feature map, by which alike images are found; null where the model tells none. */
    feature: real('feature').array(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.modelId, t.imageId] }),
    index('predictions_image').on(t.imageId),
    check('predictions_uncertainty', sql`${t.uncertainty} between 0 and 1`),
  ],
);

/** That a model suggested an outline to a worker, or that it would have: what a comparison of both shows. */
export const suggestions = pgTable(
  'suggestions',
  {
    leaseId: uuid('lease_id')
      .primaryKey()
      .references(() => leases.id, { onDelete: 'cascade' }),
    modelId: uuid('model_id')
      .notNull()
      .references(() => models.id, { onDelete: 'cascade' }),
    /** A random share is withheld, so that the effect of the others can be measured. */
    state: text('state', { enum: ['shown', 'withheld'] }).notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index('suggestions_model').on(t.modelId),
    check('suggestions_state', sql`${t.state} in ('shown', 'withheld')`),
  ],
);

/** Version × model × suite. */
export const evaluations = pgTable(
  'evaluations',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    versionId: uuid('version_id')
      .notNull()
      .references(() => versions.id),
    modelId: uuid('model_id')
      .notNull()
      .references(() => models.id),
    suite: text('suite').notNull(),
    options: jsonb('options').$type<Record<string, unknown>>().notNull().default({}),
    state: text('state', { enum: workStates }).notNull().default('queued'),
    metrics: jsonb('metrics').$type<Record<string, unknown>>(),
    jobId: uuid('job_id'),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    finishedAt: moment('finished_at'),
  },
  (t) => [
    index('evaluations_project').on(t.projectId, t.id),
    index('evaluations_version').on(t.versionId),
    index('evaluations_model').on(t.modelId),
    check('evaluations_state', isWorkState(t.state)),
  ],
);

/**
 * What a model said about an image in every setting of a variant. Named by all that the answer depends on, so that a new
 * slice or metric, or another evaluation of the same, asks the model nothing.
 */
export const evaluationRows = pgTable(
  'evaluation_rows',
  {
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** sha256 of the model's file and of how pictures are prepared for it. */
    model: text('model').notNull(),
    /** sha256 of the variant with its version, settings and seed. */
    variant: text('variant').notNull(),
    /** sha256 of the picture and of the labels that the variant uses. */
    sample: text('sample').notNull(),
    /** One entry for each setting, in the order of the variant's. */
    cells: jsonb('cells').$type<unknown[]>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.model, t.variant, t.sample] })],
);

/** An image in an evaluation: what the gallery sorts and filters by. */
export const evaluationImages = pgTable(
  'evaluation_images',
  {
    evaluationId: uuid('evaluation_id')
      .notNull()
      .references(() => evaluations.id, { onDelete: 'cascade' }),
    imageId: uuid('image_id')
      .notNull()
      .references(() => images.id, { onDelete: 'cascade' }),
    className: text('class_name').notNull(),
    predicted: text('predicted').notNull(),
    isRight: boolean('is_right').notNull(),
    /** By name: probability of the true class, iRFS, saliency on the object, drop under a variant … */
    scores: jsonb('scores').$type<Record<string, number | null>>().notNull().default({}),
  },
  (t) => [
    primaryKey({ columns: [t.evaluationId, t.imageId] }),
    index('evaluation_images_image').on(t.imageId),
  ],
);
