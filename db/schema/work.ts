import { sql } from 'drizzle-orm';
import {
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
import { images } from './images';
import { projects, schemaVersions, stages } from './projects';
import { users } from './users';

export const itemStates = ['open', 'settled', 'withdrawn'] as const;

/** One question about one image: image + target in a stage. */
export const items = pgTable(
  'items',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    stageId: uuid('stage_id')
      .notNull()
      .references(() => stages.id, { onDelete: 'cascade' }),
    imageId: uuid('image_id')
      .notNull()
      .references(() => images.id, { onDelete: 'cascade' }),
    schemaVersionId: uuid('schema_version_id')
      .notNull()
      .references(() => schemaVersions.id),
    /** The attribute or part asked for; empty where the stage asks about the whole image. */
    target: text('target').notNull().default(''),
    state: text('state', { enum: itemStates }).notNull().default('open'),
    priority: integer('priority').notNull().default(0),
    /** How many answers are wanted, how many are out on lease, how many have come in. */
    overlap: integer('overlap').notNull().default(1),
    leased: integer('leased').notNull().default(0),
    answered: integer('answered').notNull().default(0),
    /** Position in the hand-out order: random per stage and image, so uploads and classes come mixed. */
    shuffle: integer('shuffle')
      .notNull()
      .generatedAlwaysAs(sql`('x' || substr(md5(stage_id::text || image_id::text), 1, 8))::bit(32)::integer`),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('items_question').on(t.stageId, t.imageId, t.target),
    index('items_image').on(t.imageId),
    index('items_project').on(t.projectId, t.state),
    index('items_to_hand_out')
      .on(t.stageId, t.priority.desc(), t.shuffle, t.imageId, t.id)
      .where(sql`state = 'open' and leased + answered < overlap`),
    check('items_state', sql`${t.state} in ('open', 'settled', 'withdrawn')`),
    check('items_counts', sql`${t.overlap} > 0 and ${t.leased} >= 0 and ${t.answered} >= 0`),
  ],
);

export const batchKinds = ['work', 'exam', 'practice'] as const;
export const batchStates = ['leased', 'submitted', 'expired', 'returned'] as const;

/** The items leased to one worker at a time. The lease ends at leased_until unless a heartbeat renews it. */
export const batches = pgTable(
  'batches',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    stageId: uuid('stage_id')
      .notNull()
      .references(() => stages.id, { onDelete: 'cascade' }),
    workerId: uuid('worker_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind', { enum: batchKinds }).notNull().default('work'),
    state: text('state', { enum: batchStates }).notNull().default('leased'),
    leasedUntil: moment('leased_until').notNull(),
    /** What the batch pays, fixed when it is taken: a later change of pay is for later batches. */
    pay: jsonb('pay').$type<Record<string, unknown>>(),
    createdAt: createdAt(),
    submittedAt: moment('submitted_at'),
  },
  (t) => [
    uniqueIndex('batches_one_at_a_time').on(t.stageId, t.workerId).where(sql`state = 'leased'`),
    index('batches_worker').on(t.workerId, t.id),
    index('batches_project').on(t.projectId, t.id),
    index('batches_expiring').on(t.leasedUntil).where(sql`state = 'leased'`),
    check('batches_kind', sql`${t.kind} in ('work', 'exam', 'practice')`),
    check('batches_state', sql`${t.state} in ('leased', 'submitted', 'expired', 'returned')`),
    check('batches_submitted', sql`(${t.state} = 'submitted') = (${t.submittedAt} is not null)`),
  ],
);

export const leaseStates = ['open', 'answered', 'released', 'late'] as const;

/** The lease of one item within a batch. Its id is all that a worker ever learns about the item. */
export const leases = pgTable(
  'leases',
  {
    id: id(),
    batchId: uuid('batch_id')
      .notNull()
      .references(() => batches.id, { onDelete: 'cascade' }),
    itemId: uuid('item_id')
      .notNull()
      .references(() => items.id, { onDelete: 'cascade' }),
    workerId: uuid('worker_id')
      .notNull()
      .references(() => users.id),
    position: integer('position').notNull(),
    /** `late`: answered after the batch ended; counted, scored and paid together with other late answers. */
    state: text('state', { enum: leaseStates }).notNull().default('open'),
    /** Not counted in its item: gold, or a target of a gold image that needs no further answer. */
    isExtra: boolean('is_extra').notNull().default(false),
  },
  (t) => [
    uniqueIndex('leases_never_twice').on(t.itemId, t.workerId),
    uniqueIndex('leases_position').on(t.batchId, t.position),
    index('leases_worker').on(t.workerId),
    index('leases_late').on(t.workerId).where(sql`state = 'late'`),
    check('leases_state', sql`${t.state} in ('open', 'answered', 'released', 'late')`),
  ],
);

/**
 * Open items that a check stands in for while its batch is in hand. Nobody else receives them meanwhile, so the
 * pool shrinks by the size of the batch whatever the batch contains.
 */
export const reservations = pgTable(
  'reservations',
  {
    batchId: uuid('batch_id')
      .notNull()
      .references(() => batches.id, { onDelete: 'cascade' }),
    itemId: uuid('item_id')
      .notNull()
      .references(() => items.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.batchId, t.itemId] }), index('reservations_item').on(t.itemId)],
);

/** Append-only. The id is made by the client, so that a repeated submit is the same answer. */
export const answers = pgTable(
  'answers',
  {
    id: uuid('id').primaryKey(),
    leaseId: uuid('lease_id')
      .notNull()
      .unique()
      .references(() => leases.id, { onDelete: 'cascade' }),
    itemId: uuid('item_id')
      .notNull()
      .references(() => items.id, { onDelete: 'cascade' }),
    workerId: uuid('worker_id')
      .notNull()
      .references(() => users.id),
    /** Attributes chosen, or shapes drawn, or "nothing to label". */
    value: jsonb('value').$type<Record<string, unknown>>().notNull(),
    /** Compressed COCO counts, always recomputed on the server from the shapes. */
    mask: text('mask'),
    area: integer('area'),
    activeMs: integer('active_ms').notNull(),
    /** Stored after the batch had ended. */
    isLate: boolean('is_late').notNull().default(false),
    /** How the answer was entered (`InteractionSummary`): counts and spreads only. Null: not measured. */
    interaction: jsonb('interaction').$type<Record<string, unknown>>(),
    /** The answer repeats the code of a text that only programs can read; see lib/services/crowd/signals/text-for-programs.ts. */
    repeatsCode: boolean('repeats_code').notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    index('answers_item').on(t.itemId),
    index('answers_worker').on(t.workerId, t.createdAt),
    check('answers_area', sql`(${t.mask} is null) = (${t.area} is null)`),
    check('answers_active', sql`${t.activeMs} >= 0`),
  ],
);

/**
 * How close an answer is to what models say about the same picture. Computed in the background; an answer without a
 * row was not compared.
 */
export const answerComparisons = pgTable(
  'answer_comparisons',
  {
    answerId: uuid('answer_id')
      .primaryKey()
      .references(() => answers.id, { onDelete: 'cascade' }),
    /** The installed segmentation model that matches best, and the IoU with its output; null: not compared. */
    publicModel: text('public_model'),
    publicIou: real('public_iou'),
    /** The promoted model of the project at that time. Deleting the model keeps the numbers. */
    modelId: uuid('model_id'),
    /** How right the promoted model is on the gold of a check, 0 to 1, and how much the answer agrees with it. */
    modelLevel: real('model_level'),
    modelAgreement: real('model_agreement'),
    createdAt: createdAt(),
  },
  (t) => [
    check('answer_comparisons_public', sql`(${t.publicModel} is null) = (${t.publicIou} is null)`),
    check('answer_comparisons_model', sql`(${t.modelLevel} is null) = (${t.modelAgreement} is null)`),
    check(
      'answer_comparisons_range',
      sql`coalesce(${t.publicIou}, 0) between 0 and 1 and coalesce(${t.modelLevel}, 0) between 0 and 1 and coalesce(${t.modelAgreement}, 0) between 0 and 1`,
    ),
  ],
);

/** What becomes the answer when the batch ends. Checked, and its mask computed, when the draft is stored. */
export interface DraftAnswer {
  value: Record<string, unknown>;
  mask: string | null;
  area: number | null;
  interaction: Record<string, unknown> | null;
  repeatsCode: boolean;
}

/**
 * The unsubmitted state of a lease; the revision makes every write a compare-and-set. A draft that is done has an
 * answer, which counts when the batch is submitted, expires or is returned.
 */
export const drafts = pgTable(
  'drafts',
  {
    leaseId: uuid('lease_id')
      .primaryKey()
      .references(() => leases.id, { onDelete: 'cascade' }),
    workerId: uuid('worker_id')
      .notNull()
      .references(() => users.id),
    revision: integer('revision').notNull(),
    document: jsonb('document').$type<Record<string, unknown>>().notNull(),
    answer: jsonb('answer').$type<DraftAnswer>(),
    /** When the worker marked it as done; the answer is as old as this. */
    doneAt: moment('done_at'),
    /** Time spent on the item so far, without pauses, over all visits. */
    activeMs: integer('active_ms').notNull().default(0),
    updatedAt: moment('updated_at').notNull().default(sql`now()`),
  },
  (t) => [
    check('drafts_done', sql`(${t.answer} is null) = (${t.doneAt} is null)`),
    check('drafts_active', sql`${t.activeMs} >= 0`),
  ],
);

/** The accepted outcome of an item, with its provenance. Old labels stay; one per item is current. */
export const labels = pgTable(
  'labels',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    itemId: uuid('item_id')
      .notNull()
      .references(() => items.id, { onDelete: 'cascade' }),
    imageId: uuid('image_id')
      .notNull()
      .references(() => images.id, { onDelete: 'cascade' }),
    target: text('target').notNull().default(''),
    value: jsonb('value').$type<Record<string, unknown>>().notNull(),
    mask: text('mask'),
    area: integer('area'),
    source: text('source', { enum: ['answer', 'consensus', 'correction', 'import', 'generator'] }).notNull(),
    /** Answers, labels or files the label was made from, and the method's name and parameters. */
    provenance: jsonb('provenance').$type<Record<string, unknown>>().notNull(),
    confidence: real('confidence').notNull(),
    isCurrent: boolean('is_current').notNull().default(true),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('labels_current').on(t.itemId).where(sql`is_current`),
    index('labels_image').on(t.imageId),
    index('labels_project').on(t.projectId, t.target).where(sql`is_current`),
    check('labels_area', sql`(${t.mask} is null) = (${t.area} is null)`),
    check('labels_confidence', sql`${t.confidence} between 0 and 1`),
    check('labels_source', sql`${t.source} in ('answer', 'consensus', 'correction', 'import', 'generator')`),
  ],
);
