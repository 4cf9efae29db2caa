import { sql } from 'drizzle-orm';
import {
  bigint,
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
import { createdAt, id } from './columns';
import { blobs, images } from './images';
import { projects, schemaVersions } from './projects';
import { users } from './users';

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
    /** What the authors state about the dataset (`Statements`); not part of the frozen content. */
    statements: jsonb('statements').$type<Record<string, string>>().notNull().default({}),
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
