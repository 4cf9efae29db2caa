import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  char,
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
import { projects, stages } from './projects';
import { users } from './users';
import { batches, items, leases } from './work';

/** Gold of one pool never appears in another: feedback and exam results reveal nothing about hidden checks. */
export const goldPools = ['check', 'exam', 'practice'] as const;
export type GoldPool = (typeof goldPools)[number];

export const goldStates = ['candidate', 'active', 'excluded', 'retired'] as const;

/** An item whose answer is known. Nothing a worker can reach reads this table. */
export const gold = pgTable(
  'gold',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    itemId: uuid('item_id')
      .notNull()
      .unique()
      .references(() => items.id, { onDelete: 'cascade' }),
    value: jsonb('value').$type<Record<string, unknown>>().notNull(),
    mask: text('mask'),
    state: text('state', { enum: goldStates }).notNull().default('candidate'),
    pool: text('pool', { enum: goldPools }).notNull().default('check'),
    authorId: uuid('author_id').references(() => users.id, { onDelete: 'set null' }),
    confirmedBy: uuid('confirmed_by').references(() => users.id, { onDelete: 'set null' }),
    exposures: integer('exposures').notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    index('gold_project').on(t.projectId, t.state),
    check('gold_state', sql`${t.state} in ('candidate', 'active', 'excluded', 'retired')`),
    check('gold_pool', sql`${t.pool} in ('check', 'exam', 'practice')`),
    check('gold_exposures', sql`${t.exposures} >= 0`),
  ],
);

/** A gold item hidden in a batch, and how the worker did on it once answered. */
export const checks = pgTable(
  'checks',
  {
    id: id(),
    leaseId: uuid('lease_id')
      .notNull()
      .unique()
      .references(() => leases.id, { onDelete: 'cascade' }),
    goldId: uuid('gold_id')
      .notNull()
      .references(() => gold.id, { onDelete: 'cascade' }),
    workerId: uuid('worker_id')
      .notNull()
      .references(() => users.id),
    score: jsonb('score').$type<Record<string, number>>(),
    passed: boolean('passed'),
    /** The image whose place the gold image took. A check left unanswered returns when this image would. */
    twinImageId: uuid('twin_image_id').references(() => images.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    scoredAt: moment('scored_at'),
  },
  (t) => [
    uniqueIndex('checks_gold_never_twice').on(t.goldId, t.workerId),
    index('checks_worker').on(t.workerId, t.id),
    check('checks_scored', sql`(${t.scoredAt} is null) = (${t.passed} is null)`),
  ],
);

/** A batch of gold only, with a bar. */
export const exams = pgTable(
  'exams',
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
    batchId: uuid('batch_id')
      .notNull()
      .unique()
      .references(() => batches.id, { onDelete: 'cascade' }),
    attempt: integer('attempt').notNull(),
    precision: real('precision'),
    recall: real('recall'),
    meanIou: real('mean_iou'),
    passed: boolean('passed'),
    createdAt: createdAt(),
    finishedAt: moment('finished_at'),
  },
  (t) => [
    uniqueIndex('exams_attempt').on(t.stageId, t.workerId, t.attempt),
    index('exams_worker').on(t.workerId),
    index('exams_project').on(t.projectId, t.stageId),
    check('exams_finished', sql`(${t.finishedAt} is null) = (${t.passed} is null)`),
    check('exams_attempt_positive', sql`${t.attempt} > 0`),
  ],
);

/** What a curator or a rule concluded. Append-only, with the reason that the person concerned is shown. */
export const decisions = pgTable(
  'decisions',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    subject: text('subject', { enum: ['answer', 'worker', 'label', 'gold', 'exam', 'image'] }).notNull(),
    subjectId: uuid('subject_id').notNull(),
    /** A decision about a worker is about their work in one stage. */
    stageId: uuid('stage_id').references(() => stages.id, { onDelete: 'cascade' }),
    verdict: text('verdict').notNull(),
    /** The part or attribute that a decision about a worker is about; null for the whole stage. */
    target: text('target'),
    reason: text('reason').notNull(),
    rule: text('rule'),
    ruleVersion: integer('rule_version'),
    evidence: jsonb('evidence').$type<string[]>().notNull().default([]),
    decidedBy: uuid('decided_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    index('decisions_subject').on(t.subject, t.subjectId, t.id),
    index('decisions_project').on(t.projectId, t.id),
    index('decisions_stage').on(t.stageId, t.subjectId).where(sql`stage_id is not null`),
    check(
      'decisions_subject_kind',
      sql`${t.subject} in ('answer', 'worker', 'label', 'gold', 'exam', 'image')`,
    ),
    check('decisions_worker_stage', sql`${t.subject} <> 'worker' or ${t.stageId} is not null`),
    check('decisions_rule', sql`(${t.rule} is null) = (${t.ruleVersion} is null)`),
  ],
);

export const payReviewReasons = ['instant', 'constant'] as const;
export type PayReviewReason = (typeof payReviewReasons)[number];

/** Pay for a batch or exam that a curator approves first. The ledger gets its line on approval. */
export const payReviews = pgTable(
  'pay_reviews',
  {
    batchId: uuid('batch_id')
      .primaryKey()
      .references(() => batches.id, { onDelete: 'cascade' }),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    workerId: uuid('worker_id')
      .notNull()
      .references(() => users.id),
    /** `item`: late answers of a batch that was paid or decided before. */
    kind: text('kind', { enum: ['batch', 'exam', 'item'] }).notNull(),
    reason: text('reason', { enum: payReviewReasons }).notNull(),
    amountMicro: bigint('amount_micro', { mode: 'bigint' }).notNull(),
    currency: char('currency', { length: 3 }).notNull(),
    state: text('state', { enum: ['open', 'approved', 'refused'] })
      .notNull()
      .default('open'),
    /** What the curator wrote to the worker. */
    note: text('note').notNull().default(''),
    decidedBy: uuid('decided_by').references(() => users.id, { onDelete: 'set null' }),
    decidedAt: moment('decided_at'),
    createdAt: createdAt(),
  },
  (t) => [
    index('pay_reviews_project').on(t.projectId, t.state),
    index('pay_reviews_worker').on(t.workerId),
    check('pay_reviews_reason', sql`${t.reason} in ('instant', 'constant')`),
    check('pay_reviews_state', sql`${t.state} in ('open', 'approved', 'refused')`),
    check('pay_reviews_decided', sql`(${t.state} = 'open') = (${t.decidedAt} is null)`),
  ],
);

/**
 * Append-only, in millionths of the currency; a balance is a sum. The unique source makes paying twice
 * for the same batch, item, exam or bonus impossible.
 */
export const ledger = pgTable(
  'ledger',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    workerId: uuid('worker_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind', { enum: ['batch', 'item', 'exam', 'bonus', 'adjustment', 'payment'] }).notNull(),
    sourceId: uuid('source_id').notNull(),
    amountMicro: bigint('amount_micro', { mode: 'bigint' }).notNull(),
    currency: char('currency', { length: 3 }).notNull(),
    note: text('note').notNull().default(''),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('ledger_paid_once').on(t.kind, t.sourceId),
    index('ledger_worker').on(t.workerId, t.id),
    index('ledger_project').on(t.projectId, t.id),
    check('ledger_kind', sql`${t.kind} in ('batch', 'item', 'exam', 'bonus', 'adjustment', 'payment')`),
    check('ledger_sign', sql`${t.kind} = 'adjustment' or (${t.kind} = 'payment') = (${t.amountMicro} < 0)`),
  ],
);

/**
 * Where a worker of the project's own pool wants their money sent. Personal data: `sealed` is encrypted with a key made
 * from the secret of the instance and bound to this project and worker, so that a copied row opens nowhere else.
 */
export const payees = pgTable(
  'payees',
  {
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    workerId: uuid('worker_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sealed: text('sealed').notNull(),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().default(sql`now()`),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.workerId] }),
    index('payees_worker').on(t.workerId),
    check('payees_sealed', sql`${t.sealed} ~ '^v1[.][A-Za-z0-9_-]{40,}$'`),
  ],
);
