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
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { createdAt, id, moment } from './columns';
import { projects, stages } from './projects';
import { decisions } from './quality';
import { users } from './users';

/** What a worker agrees to. Immutable: a change of text is a new number, and asks everybody again. */
export const consentTexts = pgTable(
  'consent_texts',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    document: jsonb('document').$type<Record<string, unknown>>().notNull(),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('consent_texts_number').on(t.projectId, t.number)],
);

/** Append-only. The newest row of a worker in a project tells whether they take part. */
export const consents = pgTable(
  'consents',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    workerId: uuid('worker_id')
      .notNull()
      .references(() => users.id),
    consentTextId: uuid('consent_text_id')
      .notNull()
      .references(() => consentTexts.id),
    kind: text('kind', { enum: ['agreed', 'withdrawn'] }).notNull(),
    /** In which the text was shown, and the rows of `text_translations` that were shown; none for the original. */
    language: text('language').notNull().default('en'),
    translationIds: uuid('translation_ids').array().notNull().default(sql`'{}'::uuid[]`),
    createdAt: createdAt(),
  },
  (t) => [
    index('consents_worker').on(t.workerId, t.projectId, t.id),
    index('consents_project').on(t.projectId),
    check('consents_kind', sql`${t.kind} in ('agreed', 'withdrawn')`),
  ],
);

/** Instructions of a stage (target '') or of one attribute or part. Immutable: an edit is a new number. */
export const guides = pgTable(
  'guides',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    stageId: uuid('stage_id')
      .notNull()
      .references(() => stages.id, { onDelete: 'cascade' }),
    target: text('target').notNull().default(''),
    number: integer('number').notNull(),
    /** Markdown: the short form beside the work, and the whole. */
    short: text('short').notNull().default(''),
    full: text('full').notNull().default(''),
    examples: jsonb('examples').$type<Record<string, unknown>[]>().notNull().default([]),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('guides_number').on(t.stageId, t.target, t.number),
    index('guides_project').on(t.projectId),
  ],
);

/**
 * What curators wrote in other languages: of guides, consent text, schema, names and landing texts. Append-only: an edit
 * is a new number. A translation counts as long as its source equals the original, so that it is never shown for a text
 * that has changed.
 */
export const textTranslations = pgTable(
  'text_translations',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    locale: text('locale').notNull(),
    /** Which text it is; see `lib/core/translations/keys.ts`. */
    key: text('key').notNull(),
    number: integer('number').notNull(),
    /** The original that was translated, word for word. */
    source: text('source').notNull(),
    /** Empty: the translation was removed. */
    text: text('text').notNull(),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('text_translations_number').on(t.projectId, t.locale, t.key, t.number),
    check('text_translations_locale', sql`${t.locale} ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$'`),
    check('text_translations_counted', sql`${t.number} > 0`),
  ],
);

export const recruiterIds = ['pool', 'prolific', 'external-hit'] as const;
export type RecruiterId = (typeof recruiterIds)[number];

/** Where workers of a project come from, with what the marketplace needs (study id, completion codes). */
export const recruitments = pgTable(
  'recruitments',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    recruiter: text('recruiter', { enum: recruiterIds }).notNull(),
    /** The study or HIT group at the marketplace. */
    externalId: text('external_id').notNull(),
    cohort: text('cohort'),
    settings: jsonb('settings').$type<Record<string, unknown>>().notNull().default({}),
    state: text('state', { enum: ['open', 'closed'] })
      .notNull()
      .default('open'),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('recruitments_external').on(t.recruiter, t.externalId),
    index('recruitments_project').on(t.projectId, t.id),
    check('recruitments_recruiter', sql`${t.recruiter} in ('pool', 'prolific', 'external-hit')`),
  ],
);

export const arrivalStates = ['active', 'finished', 'screened-out', 'returned', 'timed-out'] as const;

/** One visit of a worker sent by a marketplace: its session there, and how it ended. */
export const arrivals = pgTable(
  'arrivals',
  {
    id: id(),
    recruitmentId: uuid('recruitment_id')
      .notNull()
      .references(() => recruitments.id, { onDelete: 'cascade' }),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    workerId: uuid('worker_id')
      .notNull()
      .references(() => users.id),
    /** Personal data of the marketplace: never in an export. */
    externalWorker: text('external_worker').notNull(),
    externalSession: text('external_session').notNull(),
    state: text('state', { enum: arrivalStates }).notNull().default('active'),
    createdAt: createdAt(),
    endedAt: moment('ended_at'),
  },
  (t) => [
    uniqueIndex('arrivals_session').on(t.recruitmentId, t.externalSession),
    index('arrivals_worker').on(t.workerId, t.projectId),
    index('arrivals_project').on(t.projectId),
    index('arrivals_external_worker').on(t.externalWorker),
    check(
      'arrivals_state',
      sql`${t.state} in ('active', 'finished', 'screened-out', 'returned', 'timed-out')`,
    ),
    check('arrivals_ended', sql`(${t.state} = 'active') = (${t.endedAt} is null)`),
  ],
);

export const standingStates = ['active', 'refresher', 'paused', 'ended'] as const;

/** How a worker stands in a stage: the sum of the decisions about them, kept for the query that hands out work. */
export const standings = pgTable(
  'standings',
  {
    stageId: uuid('stage_id')
      .notNull()
      .references(() => stages.id, { onDelete: 'cascade' }),
    workerId: uuid('worker_id')
      .notNull()
      .references(() => users.id),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    state: text('state', { enum: standingStates }).notNull().default('active'),
    /** Parts that the worker does not receive. */
    pausedTargets: text('paused_targets').array().notNull().default(sql`'{}'::text[]`),
    /** Single answers of this worker do not become labels; see `lib/core/quality/confirmation.ts`. */
    needsConfirmation: boolean('needs_confirmation').notNull().default(false),
    /** Evidence counts from here: the start, or the last time that a pause was lifted. A refresher changes nothing. */
    since: moment('since').notNull().default(sql`now()`),
    /** The decision that the state comes from. */
    decisionId: uuid('decision_id').references(() => decisions.id),
    updatedAt: moment('updated_at').notNull().default(sql`now()`),
  },
  (t) => [
    primaryKey({ columns: [t.stageId, t.workerId] }),
    index('standings_worker').on(t.workerId),
    index('standings_project').on(t.projectId, t.state),
    check('standings_state', sql`${t.state} in ('active', 'refresher', 'paused', 'ended')`),
  ],
);

/** A worker's objection to a decision, and the curator's answer to it. The id is made by the client. */
export const appeals = pgTable(
  'appeals',
  {
    id: uuid('id').primaryKey(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    decisionId: uuid('decision_id')
      .notNull()
      .unique()
      .references(() => decisions.id),
    workerId: uuid('worker_id')
      .notNull()
      .references(() => users.id),
    text: text('text').notNull(),
    outcome: text('outcome', { enum: ['granted', 'upheld'] }),
    reply: text('reply'),
    answeredBy: uuid('answered_by').references(() => users.id, { onDelete: 'set null' }),
    answeredAt: moment('answered_at'),
    createdAt: createdAt(),
  },
  (t) => [
    index('appeals_project').on(t.projectId, t.id),
    index('appeals_worker').on(t.workerId),
    check('appeals_outcome', sql`${t.outcome} in ('granted', 'upheld')`),
    check(
      'appeals_answered',
      sql`(${t.answeredAt} is null) = (${t.outcome} is null) and (${t.answeredAt} is null) = (${t.reply} is null)`,
    ),
  ],
);

/** The rules that decide about workers. Immutable: the newest number is in force. */
export const ruleSets = pgTable(
  'rule_sets',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    rules: jsonb('rules').$type<Record<string, unknown>[]>().notNull(),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('rule_sets_number').on(t.projectId, t.number)],
);

/** A list of what is to be paid out, approved by a curator; paid when the money has gone. */
export const payouts = pgTable(
  'payouts',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    state: text('state', { enum: ['approved', 'paid', 'cancelled'] })
      .notNull()
      .default('approved'),
    note: text('note').notNull().default(''),
    /** The study by which everybody on the list came; null for the project's own people. */
    recruitmentId: uuid('recruitment_id').references(() => recruitments.id, { onDelete: 'set null' }),
    /** Of the list at the marketplace, once it was handed over there. */
    reference: text('reference'),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    settledAt: moment('settled_at'),
  },
  (t) => [
    index('payouts_project').on(t.projectId, t.id),
    index('payouts_recruitment').on(t.recruitmentId),
    check('payouts_state', sql`${t.state} in ('approved', 'paid', 'cancelled')`),
    check('payouts_settled', sql`(${t.state} = 'approved') = (${t.settledAt} is null)`),
  ],
);

export const payoutLines = pgTable(
  'payout_lines',
  {
    id: id(),
    payoutId: uuid('payout_id')
      .notNull()
      .references(() => payouts.id, { onDelete: 'cascade' }),
    workerId: uuid('worker_id')
      .notNull()
      .references(() => users.id),
    amountMicro: bigint('amount_micro', { mode: 'bigint' }).notNull(),
    currency: char('currency', { length: 3 }).notNull(),
  },
  (t) => [
    uniqueIndex('payout_lines_once').on(t.payoutId, t.workerId, t.currency),
    index('payout_lines_worker').on(t.workerId),
    check('payout_lines_amount', sql`${t.amountMicro} > 0`),
  ],
);
