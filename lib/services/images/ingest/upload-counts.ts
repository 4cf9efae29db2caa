import { count, eq, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { uploadFiles } = tables;

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
