import { and, eq, or, sql } from 'drizzle-orm';
import { tables } from '@/db';
import { limits } from '@/lib/core/image-limits';
import { readAll } from '@/lib/services/storage';
import { type ClassTable, joinTables, parseTable } from './class-table';
import type { IngestContext } from './ingest-upload';
import type { Entries } from './open-archives';
import { openFile } from './open-file';
import { refusalOf } from './refusal';
import { settleFile } from './settle-file';

const { uploadFiles } = tables;

/** Reads all tables of an upload before any picture: a table may come after the pictures it is about. */
export async function readTables(
  context: IngestContext,
  uploadId: string,
  entries: Entries,
): Promise<ClassTable> {
  const files = await context.db
    .select()
    .from(uploadFiles)
    .where(
      and(
        eq(uploadFiles.uploadId, uploadId),
        sql`lower(${uploadFiles.name}) ~ '[.](csv|tsv)$'`,
        or(eq(uploadFiles.state, 'received'), eq(uploadFiles.state, 'accepted')),
      ),
    );
  const parsed = [];
  for (const file of files) {
    context.signal.throwIfAborted();
    try {
      const source = await openFile(context.storage, file, entries);
      const rows = parseTable((await readAll(source, limits.tableBytes)).toString('utf8'));
      parsed.push(rows);
      await settleFile(context.db, file.id, {
        state: 'accepted',
        reason: `Table of ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}.`,
      });
    } catch (error) {
      const reason = refusalOf(error);
      if (reason === null) throw error;
      await settleFile(context.db, file.id, { state: 'refused', reason });
    }
  }
  return joinTables(parsed);
}
