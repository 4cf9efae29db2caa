import { and, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { readAll, type Storage } from '@/lib/services/storage';

const { runFiles } = tables;

const TAIL_BYTES = 8 * 1024;

/** The end of what the trainer printed, from the first whole line; null while the run has not ended. */
export async function readLogTail(db: Db, storage: Storage, runId: string): Promise<string | null> {
  const [file] = await db
    .select({ blob: runFiles.blob, bytes: runFiles.bytes })
    .from(runFiles)
    .where(and(eq(runFiles.runId, runId), eq(runFiles.path, 'log.txt')));
  if (!file || file.bytes === 0) return null;
  const start = Math.max(0, file.bytes - TAIL_BYTES);
  const source = await storage.get(file.blob, { start, end: file.bytes - 1 });
  const text = (await readAll(source, TAIL_BYTES)).toString('utf8');
  return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
}
