import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { DatasetSchema } from '@/lib/core/schema';
import { createdAt, id, moment } from './columns';
import { users } from './users';

export const projectStates = ['draft', 'collecting', 'paused', 'finished', 'archived'] as const;

export const projects = pgTable(
  'projects',
  {
    id: id(),
    slug: text('slug').notNull().unique(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    state: text('state', { enum: projectStates }).notNull().default('draft'),
    isDemo: boolean('is_demo').notNull().default(false),
    /** The schema version that new items get; older items keep theirs. */
    schemaVersionId: uuid('schema_version_id').references((): AnyPgColumn => schemaVersions.id),
    policy: jsonb('policy').$type<Record<string, unknown>>().notNull().default({}),
    /** The language in which the team writes its texts; translations are of these. */
    language: text('language').notNull().default('en'),
    createdBy: uuid('created_by').references((): AnyPgColumn => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().default(sql`now()`),
  },
  (t) => [
    check('projects_slug', sql`${t.slug} ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'`),
    check('projects_state', sql`${t.state} in ('draft', 'collecting', 'paused', 'finished', 'archived')`),
    check('projects_language', sql`${t.language} ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$'`),
  ],
);

/** Immutable once written (a trigger forbids updates): a change of schema is a new row. */
export const schemaVersions = pgTable(
  'schema_versions',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references((): AnyPgColumn => projects.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    document: jsonb('document').$type<DatasetSchema>().notNull(),
    createdBy: uuid('created_by').references((): AnyPgColumn => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('schema_versions_number').on(t.projectId, t.number)],
);

export const stageKinds = ['attributes', 'object-mask', 'part-mask', 'oracle'] as const;
export type StageKind = (typeof stageKinds)[number];

/** One kind of question that a project asks. */
export const stages = pgTable(
  'stages',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: stageKinds }).notNull(),
    name: text('name').notNull(),
    position: integer('position').notNull(),
    state: text('state', { enum: ['open', 'paused', 'closed'] })
      .notNull()
      .default('open'),
    /** What it asks about: the project's images, or pictures that evaluations make of them (oracles only). */
    asks: text('asks', { enum: ['images', 'evaluations'] })
      .notNull()
      .default('images'),
    policy: jsonb('policy').$type<Record<string, unknown>>().notNull().default({}),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('stages_name').on(t.projectId, t.name),
    index('stages_project').on(t.projectId, t.position),
    check('stages_kind', sql`${t.kind} in ('attributes', 'object-mask', 'part-mask', 'oracle')`),
    check('stages_state', sql`${t.state} in ('open', 'paused', 'closed')`),
    check('stages_asks', sql`${t.asks} = 'images' or (${t.asks} = 'evaluations' and ${t.kind} = 'oracle')`),
  ],
);
