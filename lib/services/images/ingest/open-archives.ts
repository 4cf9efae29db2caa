import { tables } from '@/db';
import { type Archive, type ArchiveEntry, ArchiveRefused, openArchive } from './archive';
import type { IngestContext } from './ingest-upload';
import type { UploadFile } from './receive-file';
import { settleFile } from './settle-file';

/** The entries of all archives of an upload, by the label that their files have in it. */
export type Entries = ReadonlyMap<string, ArchiveEntry>;

const rowsPerInsert = 1000;

/** Opens the archives; those that were not before get a row for each of their files. */
export async function openArchives(context: IngestContext, files: readonly UploadFile[]): Promise<Entries> {
  const entries = new Map<string, ArchiveEntry>();
  for (const file of files) {
    context.signal.throwIfAborted();
    if (file.state === 'refused' || !file.blob) continue;
    try {
      const archive = await openArchive(context.storage, file.blob);
      if (file.state === 'received') await unfold(context, file, archive);
      for (const entry of archive.entries.values()) entries.set(`${file.name}/${entry.label}`, entry);
    } catch (error) {
      if (!(error instanceof ArchiveRefused)) throw error;
      await settleFile(context.db, file.id, { state: 'refused', reason: error.message });
    }
  }
  return entries;
}

/** All rows or none, together with the mark that says so: a job that dies here begins this archive again. */
async function unfold({ db }: IngestContext, file: UploadFile, archive: Archive): Promise<void> {
  const rows = [...archive.entries.values()].map((entry) => ({
    uploadId: file.uploadId,
    name: `${file.name}/${entry.label}`,
    state: entry.refused ? ('refused' as const) : ('received' as const),
    reason: entry.refused,
  }));
  const skipped = archive.skipped > 0 ? `, ${archive.skipped} system files passed over` : '';
  await db.transaction(async (tx) => {
    for (let at = 0; at < rows.length; at += rowsPerInsert)
      await tx.insert(tables.uploadFiles).values(rows.slice(at, at + rowsPerInsert));
    await settleFile(tx, file.id, {
      state: 'accepted',
      reason: `Archive of ${rows.length} ${rows.length === 1 ? 'file' : 'files'}${skipped}.`,
    });
  });
}
