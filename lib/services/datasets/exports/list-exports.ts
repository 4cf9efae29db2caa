import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';

const { exports, jobs, users, versions } = tables;

export interface ExportView {
  id: string;
  versionId: string;
  version: number;
  format: string;
  options: Record<string, unknown>;
  losses: string[];
  /** SHA-256 of the zip; null until it is complete. */
  sha256: string | null;
  bytes: number | null;
  files: number | null;
  jobId: string | null;
  state: 'queued' | 'running' | 'retrying' | 'done' | 'failed' | 'cancelled';
  error: string | null;
  by: string | null;
  at: Date;
}

/** Lists the exports of a version, newest first, in one statement. */
export const listExports = (
  db: Db,
  { projectId, versionId, limit = 100 }: { projectId: string; versionId: string; limit?: number },
): Promise<ExportView[]> =>
  select(db, and(eq(versions.projectId, projectId), eq(exports.versionId, versionId)), limit);

export async function getExport(
  db: Db,
  { projectId, exportId }: { projectId: string; exportId: string },
): Promise<ExportView> {
  const [found] = await select(db, and(eq(versions.projectId, projectId), eq(exports.id, exportId)), 1);
  if (!found) throw notFound('export');
  return found;
}

const select = (db: Db, where: SQL | undefined, limit: number): Promise<ExportView[]> =>
  db
    .select({
      id: exports.id,
      versionId: exports.versionId,
      version: versions.number,
      format: exports.format,
      options: exports.options,
      losses: exports.losses,
      sha256: exports.blob,
      bytes: exports.bytes,
      files: exports.files,
      jobId: exports.jobId,
      state: sql<ExportView['state']>`case when ${exports.blob} is not null then 'done'
        else coalesce(${jobs.state}, 'failed') end`,
      error: jobs.error,
      by: users.name,
      at: exports.createdAt,
    })
    .from(exports)
    .innerJoin(versions, eq(versions.id, exports.versionId))
    .leftJoin(jobs, eq(jobs.id, exports.jobId))
    .leftJoin(users, eq(users.id, exports.createdBy))
    .where(where)
    .orderBy(desc(exports.id))
    .limit(limit);
