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
import { createdAt, id, moment } from './columns';
import { projects } from './projects';
import { users } from './users';

/** What the store holds. A blob is deleted only by the collector, when no row refers to it. */
export const blobs = pgTable(
  'blobs',
  {
    sha256: text('sha256').primaryKey(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    mediaType: text('media_type').notNull(),
    createdAt: createdAt(),
    /** Moved forward by every put, so that the collector never races a writer that found the blob there. */
    touchedAt: moment('touched_at').notNull().default(sql`now()`),
  },
  (t) => [
    index('blobs_touched').on(t.touchedAt),
    check('blobs_sha256', sql`${t.sha256} ~ '^[0-9a-f]{64}$'`),
    check('blobs_bytes', sql`${t.bytes} >= 0`),
  ],
);

export const images = pgTable(
  'images',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** A label for people, never a path. */
    name: text('name').notNull(),
    className: text('class_name'),
    wnid: text('wnid'),
    /** Images of one group (city, video, photographer …) never straddle a split. */
    groupKey: text('group_key'),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    /** The file as it was given; equal files are duplicates. */
    sourceSha256: text('source_sha256').notNull(),
    /** Upright 8-bit sRGB pixels: what everyone sees, draws on and exports. */
    blob: text('blob')
      .notNull()
      .references(() => blobs.sha256),
    /** 64-bit difference hash as a signed integer; near duplicates differ in few bits. */
    perceptualHash: bigint('perceptual_hash', { mode: 'bigint' }).notNull(),
    /** The first picture (by id) of those that look alike; null when nothing does or nobody looked yet. */
    lookalikeOf: uuid('lookalike_of'),
    /** What was done to the file on the way in ("turned upright", "first frame of 12"). */
    notes: text('notes').array().notNull().default(sql`'{}'`),
    columns: jsonb('columns').$type<Record<string, string>>().notNull().default({}),
    /** How to make the picture and its truth again, for generated pictures only. */
    origin: jsonb('origin').$type<Record<string, unknown>>(),
    /** Derived: made of another image to ask people about it; in no list, no statistic and no version. */
    state: text('state', { enum: ['active', 'excluded', 'broken', 'derived'] })
      .notNull()
      .default('active'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('images_source').on(t.projectId, t.sourceSha256),
    index('images_page').on(t.projectId, t.id),
    index('images_class').on(t.projectId, t.className, t.id),
    index('images_name').on(t.projectId, t.name, t.id),
    index('images_blob').on(t.blob),
    index('images_lookalike').on(t.projectId, t.lookalikeOf, t.id).where(sql`lookalike_of is not null`),
    check('images_size', sql`${t.width} > 0 and ${t.height} > 0`),
    check('images_state', sql`${t.state} in ('active', 'excluded', 'broken', 'derived')`),
  ],
);

export const derivativeKinds = ['thumbnail', 'working'] as const;
export type DerivativeKind = (typeof derivativeKinds)[number];

export const derivatives = pgTable(
  'derivatives',
  {
    imageId: uuid('image_id')
      .notNull()
      .references(() => images.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: derivativeKinds }).notNull(),
    blob: text('blob')
      .notNull()
      .references(() => blobs.sha256),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
  },
  (t) => [primaryKey({ columns: [t.imageId, t.kind] }), index('derivatives_blob').on(t.blob)],
);

/** One act of adding pictures: dropped files, a folder, a zip, the command line. */
export const uploads = pgTable(
  'uploads',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    state: text('state', { enum: ['open', 'ingesting', 'done', 'cancelled'] })
      .notNull()
      .default('open'),
    jobId: uuid('job_id'),
    /** How the class of a picture is found: folder name, CSV column, wnid, or one class for all. */
    options: jsonb('options').$type<Record<string, unknown>>().notNull().default({}),
    createdAt: createdAt(),
  },
  (t) => [
    index('uploads_project').on(t.projectId, t.id),
    check('uploads_state', sql`${t.state} in ('open', 'ingesting', 'done', 'cancelled')`),
  ],
);

export const uploadFileStates = ['received', 'accepted', 'duplicate', 'refused'] as const;

/** Every file given, and what became of it: received = accepted + duplicate + refused at the end. */
export const uploadFiles = pgTable(
  'upload_files',
  {
    id: id(),
    uploadId: uuid('upload_id')
      .notNull()
      .references(() => uploads.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    blob: text('blob').references(() => blobs.sha256),
    state: text('state', { enum: uploadFileStates }).notNull().default('received'),
    reason: text('reason'),
    imageId: uuid('image_id').references(() => images.id, { onDelete: 'set null' }),
  },
  (t) => [
    index('upload_files_upload').on(t.uploadId, t.state, t.id),
    index('upload_files_name').on(t.uploadId, t.name),
    index('upload_files_blob').on(t.blob),
    index('upload_files_image').on(t.imageId),
    check('upload_files_state', sql`${t.state} in ('received', 'accepted', 'duplicate', 'refused')`),
    check('upload_files_reason', sql`${t.state} <> 'refused' or ${t.reason} is not null`),
  ],
);
