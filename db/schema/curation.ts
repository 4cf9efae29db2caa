import { sql } from 'drizzle-orm';
import {
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
import { blobs } from './images';
import { projects, stages } from './projects';
import { users } from './users';
import { labels } from './work';

/** A filter of the image grid that a person wants to have again. */
export const savedFilters = pgTable(
  'saved_filters',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    document: jsonb('document').$type<Record<string, unknown>>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('saved_filters_name').on(t.projectId, t.ownerId, t.name),
    index('saved_filters_owner').on(t.ownerId),
  ],
);

/** What the categories of a dataset mean, saved so that the next import of the same kind can reuse it. */
export const importMappings = pgTable(
  'import_mappings',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    name: text('name').notNull(),
    document: jsonb('document').$type<Record<string, unknown>>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('import_mappings_name').on(t.projectId, t.name),
    index('import_mappings_creator').on(t.createdBy),
  ],
);

/**
 * How likely a current label is wrong, and why: what the audit queue is ordered by. Made by a job from the label, the
 * answers behind it and their authors; recomputed when any of these changes. Reviewed labels leave the queue.
 */
export const labelRisks = pgTable(
  'label_risks',
  {
    labelId: uuid('label_id')
      .primaryKey()
      .references(() => labels.id, { onDelete: 'cascade' }),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    stageId: uuid('stage_id')
      .notNull()
      .references(() => stages.id, { onDelete: 'cascade' }),
    /** Expected error, 0 to 1; null while nothing is known, as of an imported label before a sample is audited. */
    risk: real('risk'),
    /** Position in the queue, highest first: the risk, or below all risks, from -1 to 0, if it is not known. */
    rank: real('rank').notNull(),
    /** Mean agreement of the answers with the label, 0 to 1; null where there is one answer only. */
    agreement: real('agreement'),
    /** How far the promoted model is from the label, 0 to 1; null where it said nothing. */
    disagreement: real('disagreement'),
    /** Ids of geometry and consistency warnings ("touches-border", "specks" …). */
    warnings: text('warnings').array().notNull().default(sql`'{}'`),
    reviewedAt: moment('reviewed_at'),
    ratedAt: moment('rated_at').notNull().default(sql`now()`),
  },
  (t) => [
    index('label_risks_queue').on(t.projectId, t.rank.desc(), t.labelId).where(sql`reviewed_at is null`),
    index('label_risks_disagreement')
      .on(t.projectId, sql`${t.disagreement} desc nulls last`, t.labelId)
      .where(sql`reviewed_at is null`),
    index('label_risks_stage').on(t.stageId),
    check('label_risks_range', sql`${t.risk} between 0 and 1`),
  ],
);

/** A random sample of labels, drawn to know the share of wrong ones within a margin. */
export const audits = pgTable(
  'audits',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** What was sampled from: one stage, or all where it is null. */
    stageId: uuid('stage_id').references(() => stages.id, { onDelete: 'cascade' }),
    seed: text('seed').notNull(),
    population: integer('population').notNull(),
    size: integer('size').notNull(),
    /** The half-width asked for, and the confidence, both 0 to 1. */
    margin: real('margin').notNull(),
    confidence: real('confidence').notNull(),
    state: text('state', { enum: ['open', 'closed'] })
      .notNull()
      .default('open'),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    closedAt: moment('closed_at'),
  },
  (t) => [
    index('audits_project').on(t.projectId, t.id),
    index('audits_stage').on(t.stageId),
    check('audits_state', sql`${t.state} in ('open', 'closed')`),
    check('audits_size', sql`${t.size} > 0 and ${t.size} <= ${t.population}`),
    check('audits_closed', sql`(${t.state} = 'closed') = (${t.closedAt} is not null)`),
  ],
);

/** One label of a sample, and what the curator found. The label stays the one that was drawn, also when it is corrected. */
export const auditPicks = pgTable(
  'audit_picks',
  {
    auditId: uuid('audit_id')
      .notNull()
      .references(() => audits.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    labelId: uuid('label_id')
      .notNull()
      .references(() => labels.id, { onDelete: 'cascade' }),
    verdict: text('verdict', { enum: ['right', 'wrong'] }),
    decidedBy: uuid('decided_by').references(() => users.id, { onDelete: 'set null' }),
    decidedAt: moment('decided_at'),
  },
  (t) => [
    primaryKey({ columns: [t.auditId, t.position] }),
    uniqueIndex('audit_picks_label').on(t.auditId, t.labelId),
    index('audit_picks_of_label').on(t.labelId),
    check('audit_picks_decided', sql`(${t.verdict} is null) = (${t.decidedAt} is null)`),
  ],
);

/** One building of derived labels by a method; taking it back makes the labels before it current again. */
export const consensusRuns = pgTable(
  'consensus_runs',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    stageId: uuid('stage_id')
      .notNull()
      .references(() => stages.id, { onDelete: 'cascade' }),
    method: text('method').notNull(),
    parameters: jsonb('parameters').$type<Record<string, unknown>>().notNull().default({}),
    jobId: uuid('job_id'),
    state: text('state', { enum: ['building', 'applied', 'taken-back', 'failed'] })
      .notNull()
      .default('building'),
    /** Items read, labels made, labels changed, what could not be decided and why. */
    result: jsonb('result').$type<Record<string, unknown>>().notNull().default({}),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    finishedAt: moment('finished_at'),
  },
  (t) => [
    index('consensus_runs_project').on(t.projectId, t.id),
    index('consensus_runs_stage').on(t.stageId),
    check('consensus_runs_state', sql`${t.state} in ('building', 'applied', 'taken-back', 'failed')`),
  ],
);

/** Pictures that the guide of a project may show. */
export const guidePictures = pgTable(
  'guide_pictures',
  {
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    blob: text('blob')
      .notNull()
      .references(() => blobs.sha256),
    name: text('name').notNull(),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.blob] }), index('guide_pictures_blob').on(t.blob)],
);
