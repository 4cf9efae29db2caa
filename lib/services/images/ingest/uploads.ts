import { and, asc, count, desc, eq, getTableColumns, gt, inArray, isNotNull, lt, ne, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, type Db, tables } from '@/db';
import type { uploadFileStates } from '@/db/schema';
import { type Author, actorId, auditedAs } from '@/lib/core/actor';
import { conflict, invalid, notFound } from '@/lib/core/errors';
import { Mapping } from '@/lib/core/formats/mapping';
import { limits } from '@/lib/core/image-limits';
import { record } from '@/lib/services/activity';
import { enqueue } from '@/lib/services/jobs/enqueue';
import { indexClasses } from './find-class';
import { readProjectSchema } from './project-schema';
import type { UploadFile } from './receive-file';

const { jobs, uploadFiles, uploads } = tables;

export const UploadOptions = z.strictObject({
  /** One class for all files that no table names. */
  className: z.string().min(1).max(80).optional(),
  /** What becomes of a picture whose class is not found: it comes in without one, or it is refused. */
  unknownClass: z.enum(['accept', 'refuse']).default('accept'),
  /** The files are a dataset in this format, whose labels come in too. */
  format: z.string().min(1).max(80).optional(),
  /** What the categories of the dataset mean; proposed if undefined. */
  mapping: Mapping.optional(),
});

export type UploadOptions = z.infer<typeof UploadOptions>;

/** Files = waiting + accepted + duplicate + refused + opened, always; waiting is 0 when the job is done. */
export interface UploadCounts {
  files: number;
  waiting: number;
  accepted: number;
  duplicate: number;
  refused: number;
  /** Archives and tables, which hold or describe pictures and are none themselves. */
  opened: number;
}

export async function countUpload(db: Db, uploadId: string): Promise<UploadCounts> {
  // An accepted picture needs no words; an accepted archive or table says what was in it.
  const opened = sql<boolean>`${uploadFiles.state} = 'accepted' and ${uploadFiles.reason} is not null`;
  const rows = await db
    .select({ state: uploadFiles.state, opened, n: count() })
    .from(uploadFiles)
    .where(eq(uploadFiles.uploadId, uploadId))
    .groupBy(uploadFiles.state, opened);
  const of = (state: string, isOpened = false) =>
    rows.find((row) => row.state === state && row.opened === isOpened)?.n ?? 0;
  return {
    files: rows.reduce((sum, row) => sum + row.n, 0),
    waiting: of('received'),
    accepted: of('accepted'),
    duplicate: of('duplicate'),
    refused: of('refused'),
    opened: of('accepted', true),
  };
}

type Upload = typeof tables.uploads.$inferSelect;

/** Opens an act of adding pictures; files may be sent to it until it is finished. */
export async function startUpload(
  db: Db,
  actor: Author,
  input: { projectId: string; options?: Partial<UploadOptions> },
): Promise<Upload> {
  const options = UploadOptions.parse(input.options ?? {});
  if (options.className !== undefined) {
    const classes = indexClasses(await readProjectSchema(db, input.projectId));
    const known = classes.byName.get(options.className.toLowerCase());
    if (!known) throw invalid(`"${options.className}" is not a class of the project's schema.`);
    options.className = known;
  }
  const [upload] = await db
    .insert(tables.uploads)
    .values({ projectId: input.projectId, createdBy: actorId(actor), options })
    .returning();
  return upload as Upload;
}

interface FinishUpload {
  uploadId: string;
  /** The files are a dataset in this format: its labels come in with its pictures. */
  dataset?: { format: string; mayAdopt: boolean; mapping?: Mapping; className?: string };
}

/** Closes an upload and starts the job that turns its files into images. */
export async function finishUpload(
  db: Database,
  actor: Author,
  input: FinishUpload,
): Promise<Upload & { jobId: string }> {
  return db.transaction(async (tx) => {
    const [upload] = await tx.select().from(uploads).where(eq(uploads.id, input.uploadId)).for('update');
    if (!upload) throw notFound('upload');
    if (upload.state !== 'open') throw conflict('The upload is already finished.');
    const [files] = await tx
      .select({ n: count() })
      .from(uploadFiles)
      .where(eq(uploadFiles.uploadId, upload.id));
    const n = files?.n ?? 0;
    if (n === 0) throw invalid('The upload has no files. Send at least one file.');
    if (n > limits.filesPerUpload)
      throw invalid(`An upload may have at most ${limits.filesPerUpload} files.`);
    const { dataset } = input;
    const about = { projectId: upload.projectId, startedBy: actorId(actor) };
    const jobId = dataset
      ? await enqueue(
          tx,
          'import-dataset',
          { uploadId: upload.id, author: auditedAs(actor), mayAdopt: dataset.mayAdopt },
          { title: `Import a dataset (${dataset.format})`, ...about },
        )
      : await enqueue(
          tx,
          'ingest',
          { uploadId: upload.id },
          { title: `Add ${n} ${n === 1 ? 'file' : 'files'}`, ...about },
        );
    const options = dataset
      ? {
          ...upload.options,
          format: dataset.format,
          ...(dataset.mapping && { mapping: dataset.mapping }),
          ...(dataset.className !== undefined && { className: dataset.className }),
        }
      : upload.options;
    await tx.update(uploads).set({ state: 'ingesting', jobId, options }).where(eq(uploads.id, upload.id));
    await record(tx, {
      actor,
      verb: 'images.add',
      subject: 'upload',
      subjectId: upload.id,
      projectId: upload.projectId,
      detail: { files: n },
    });
    return { ...upload, state: 'ingesting', jobId, options };
  });
}

interface UploadView extends Upload {
  counts: UploadCounts;
}

/** A job that was cancelled before any worker had it could not say so on the upload itself. */
const stateOf = (upload: Upload, jobState: string | null): Upload['state'] =>
  upload.state === 'ingesting' && jobState === 'cancelled' ? 'cancelled' : upload.state;

export async function getUpload(db: Db, input: { projectId: string; uploadId: string }): Promise<UploadView> {
  const [row] = await db
    .select({ upload: getTableColumns(uploads), jobState: jobs.state })
    .from(uploads)
    .leftJoin(jobs, eq(jobs.id, uploads.jobId))
    .where(and(eq(uploads.id, input.uploadId), eq(uploads.projectId, input.projectId)));
  if (!row) throw notFound('upload');
  const counts = await countUpload(db, input.uploadId);
  return { ...row.upload, state: stateOf(row.upload, row.jobState), counts };
}

/** For who reaches an upload by its project: authorised for the one is not authorised for all. */
export async function requireUpload(db: Db, input: { projectId: string; uploadId: string }): Promise<void> {
  const [row] = await db
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(eq(uploads.id, input.uploadId), eq(uploads.projectId, input.projectId)));
  if (!row) throw notFound('upload');
}

/** The uploads of a project, newest first. `after`: the last id of the page before. */
export async function listUploads(
  db: Db,
  input: { projectId: string; after?: string; limit: number },
): Promise<Upload[]> {
  const rows = await db
    .select({ upload: getTableColumns(uploads), jobState: jobs.state })
    .from(uploads)
    .leftJoin(jobs, eq(jobs.id, uploads.jobId))
    .where(and(eq(uploads.projectId, input.projectId), input.after ? lt(uploads.id, input.after) : undefined))
    .orderBy(desc(uploads.id))
    .limit(input.limit);
  return rows.map((row) => ({ ...row.upload, state: stateOf(row.upload, row.jobState) }));
}

/** What became of each file, in the order of arrival. */
export async function listUploadFiles(
  db: Db,
  input: {
    uploadId: string;
    state?: (typeof uploadFileStates)[number];
    after?: string;
    limit: number;
  },
): Promise<UploadFile[]> {
  return db
    .select()
    .from(uploadFiles)
    .where(
      and(
        eq(uploadFiles.uploadId, input.uploadId),
        input.state ? eq(uploadFiles.state, input.state) : undefined,
        input.after ? gt(uploadFiles.id, input.after) : undefined,
      ),
    )
    .orderBy(asc(uploadFiles.id))
    .limit(input.limit);
}

/** Files of uploads that were begun and never finished, or cancelled, or that failed, go after this long. */
const RETENTION_MS = sql`interval '7 days'`;

/** Lets go of the files of abandoned uploads, so that the collector may take them. */
export async function releaseUploads(db: Db): Promise<void> {
  const busy = db
    .select({ id: jobs.id })
    .from(jobs)
    .where(inArray(jobs.state, ['queued', 'running', 'retrying']));
  const abandoned = db
    .select({ id: uploads.id })
    .from(uploads)
    .where(
      and(
        ne(uploads.state, 'done'),
        lt(uploads.createdAt, sql`now() - ${RETENTION_MS}`),
        sql`(${uploads.jobId} is null or ${uploads.jobId} not in ${busy})`,
      ),
    );
  await db
    .update(uploadFiles)
    .set({ blob: null })
    .where(and(inArray(uploadFiles.uploadId, abandoned), isNotNull(uploadFiles.blob)));
}
