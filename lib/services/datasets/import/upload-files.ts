import { and, eq, isNotNull } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { SourceTree } from '@/lib/core/formats/format';
import { type ArchiveEntry, ArchiveRefused, openArchive } from '@/lib/services/images/ingest/archive';
import { endingOf } from '@/lib/services/images/ingest/label';
import type { Storage } from '@/lib/services/storage';
import { uploadTree } from './trees';

const { uploadFiles } = tables;

/** What was sent to an upload, as a tree; nothing is unpacked but what is read. */
export async function treeOfUpload(db: Db, storage: Storage, uploadId: string): Promise<SourceTree> {
  const files = await db
    .select()
    .from(uploadFiles)
    .where(and(eq(uploadFiles.uploadId, uploadId), isNotNull(uploadFiles.blob)));
  const entries = new Map<string, ArchiveEntry>();
  const archives = new Set<string>();
  for (const file of files) {
    if (endingOf(file.name) !== 'zip' || !file.blob) continue;
    archives.add(file.id);
    try {
      const archive = await openArchive(storage, file.blob);
      for (const entry of archive.entries.values()) entries.set(`${file.name}/${entry.label}`, entry);
    } catch (error) {
      if (!(error instanceof ArchiveRefused)) throw error;
      // A zip that cannot be opened holds nothing; the other files may still be a dataset.
    }
  }
  return uploadTree(
    storage,
    files.filter(({ id }) => !archives.has(id)),
    entries,
  );
}
