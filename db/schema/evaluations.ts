import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  foreignKey,
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
import { versions } from './datasets';
import { blobs, images } from './images';
import { models } from './models';
import { projects } from './projects';
import { users } from './users';
import { items } from './work';
import { workStates } from './work-states';

/** Waiting: people are asked, and no job runs until they have answered. */
export const evaluationStates = [...workStates, 'waiting'] as const;

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
    state: text('state', { enum: evaluationStates }).notNull().default('queued'),
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
    check(
      'evaluations_state',
      sql`${t.state} in ('queued', 'running', 'done', 'failed', 'cancelled', 'waiting')`,
    ),
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

/**
 * A picture that was driven away from the model of one evaluation and shown to that of another with the same settings.
 * Where both are the same it is what the evaluation itself found.
 */
export const evaluationTransfers = pgTable(
  'evaluation_transfers',
  {
    /** Whom the picture was made against. */
    fromId: uuid('from_id')
      .notNull()
      .references(() => evaluations.id, { onDelete: 'cascade' }),
    /** Who looks at it. */
    toId: uuid('to_id')
      .notNull()
      .references(() => evaluations.id, { onDelete: 'cascade' }),
    imageId: uuid('image_id')
      .notNull()
      .references(() => images.id, { onDelete: 'cascade' }),
    /** The oracle saw the class in it; only such pictures count. */
    isValidated: boolean('is_validated').notNull(),
    predicted: text('predicted').notNull(),
    pTrue: real('p_true').notNull(),
    /** The picture as PNG; null where it was not validated. */
    blob: text('blob').references(() => blobs.sha256),
  },
  (t) => [
    primaryKey({ columns: [t.fromId, t.toId, t.imageId] }),
    index('evaluation_transfers_to').on(t.toId),
    index('evaluation_transfers_image').on(t.imageId),
    index('evaluation_transfers_blob').on(t.blob),
    check('evaluation_transfers_blob_validated', sql`(${t.blob} is not null) = ${t.isValidated}`),
  ],
);

/** Images that somebody picked, mostly in the gallery of an evaluation: to be measured, annotated or frozen by themselves. */
export const slices = pgTable(
  'slices',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** Where they were picked. */
    evaluationId: uuid('evaluation_id').references(() => evaluations.id, { onDelete: 'set null' }),
    name: text('name').notNull(),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('slices_name').on(t.projectId, t.name),
    index('slices_evaluation').on(t.evaluationId),
    index('slices_created_by').on(t.createdBy),
  ],
);

export const sliceImages = pgTable(
  'slice_images',
  {
    sliceId: uuid('slice_id')
      .notNull()
      .references(() => slices.id, { onDelete: 'cascade' }),
    imageId: uuid('image_id')
      .notNull()
      .references(() => images.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.sliceId, t.imageId] }), index('slice_images_image').on(t.imageId)],
);

/** One image of an evaluation that people judge: the picture and all that it was driven to, step by step. */
export const oracleChains = pgTable(
  'oracle_chains',
  {
    evaluationId: uuid('evaluation_id')
      .notNull()
      .references(() => evaluations.id, { onDelete: 'cascade' }),
    imageId: uuid('image_id')
      .notNull()
      .references(() => images.id, { onDelete: 'cascade' }),
    /** What has to be seen in a picture for it to count as recognised. */
    className: text('class_name').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    /** Pictures without the clean one. */
    length: integer('length').notNull(),
    /** RGB bytes of the clean picture and of every step, one after the other. */
    blob: text('blob')
      .notNull()
      .references(() => blobs.sha256),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.evaluationId, t.imageId] }),
    index('oracle_chains_image').on(t.imageId),
    index('oracle_chains_blob').on(t.blob),
    check('oracle_chains_length', sql`${t.length} > 0 and ${t.width} > 0 and ${t.height} > 0`),
  ],
);

/** A picture of a chain that people were asked about. What they said is in the answers to the item. */
export const oracleQuestions = pgTable(
  'oracle_questions',
  {
    evaluationId: uuid('evaluation_id').notNull(),
    imageId: uuid('image_id').notNull(),
    /** Place in the chain; -1 for the clean picture. */
    step: integer('step').notNull(),
    itemId: uuid('item_id')
      .notNull()
      .references(() => items.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.evaluationId, t.imageId, t.step] }),
    foreignKey({
      name: 'oracle_questions_chain',
      columns: [t.evaluationId, t.imageId],
      foreignColumns: [oracleChains.evaluationId, oracleChains.imageId],
    }).onDelete('cascade'),
    index('oracle_questions_item').on(t.itemId),
    check('oracle_questions_step', sql`${t.step} >= -1`),
  ],
);
