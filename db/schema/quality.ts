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
  real,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { createdAt, id, moment } from './columns';
import { projects, stages } from './projects';
import { users } from './users';
import { batches, items, leases } from './work';

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
    authorId: uuid('author_id').references(() => users.id, { onDelete: 'set null' }),
    confirmedBy: uuid('confirmed_by').references(() => users.id, { onDelete: 'set null' }),
    exposures: integer('exposures').notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    index('gold_project').on(t.projectId, t.state),
    check('gold_state', sql`${t.state} in ('candidate', 'active', 'excluded', 'retired')`),
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
