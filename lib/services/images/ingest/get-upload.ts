import { and, asc, desc, eq, getTableColumns, gt, lt } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { uploadFileStates } from '@/db/schema';
import { notFound } from '@/lib/core/errors';
import type { UploadFile } from './receive-file';
import type { Upload } from './start-upload';
import { countUpload, type UploadCounts } from './upload-counts';

const { jobs, uploads, uploadFiles } = tables;

export interface UploadView extends Upload {
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
