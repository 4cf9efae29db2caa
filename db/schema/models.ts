import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  index,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { createdAt, id } from './columns';
import { blobs, images } from './images';
import { projects } from './projects';
import { runs } from './runs';
import { users } from './users';
import { leases } from './work';

/**
 * What an ONNX file is for: to be evaluated, to drive pictures away from a model, or to say what is still to be seen in
 * them (an image encoder whose contract holds an embedding of each class's name).
 */
export const modelKinds = ['classifier', 'decoder', 'oracle'] as const;
export type ModelKind = (typeof modelKinds)[number];

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
    kind: text('kind', { enum: modelKinds }).notNull().default('classifier'),
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
    check('models_kind', sql`${t.kind} in ('classifier', 'decoder', 'oracle')`),
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
