import {
  boolean,
  check,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { createdAt, id, moment } from './columns';
import { versions } from './datasets';
import { images } from './images';
import { models } from './models';
import { projects } from './projects';
import { users } from './users';
import { isWorkState, workStates } from './work-states';

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
