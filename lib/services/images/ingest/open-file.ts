import type { Readable } from 'node:stream';
import type { Storage } from '@/lib/services/storage';
import { ArchiveRefused } from './archive';
import type { Entries } from './open-archives';
import type { UploadFile } from './receive-file';

/** The bytes of a file of an upload: sent by itself, or an entry of an archive that was. */
export async function openFile(
  storage: Storage,
  file: Pick<UploadFile, 'name' | 'blob'>,
  entries: Entries,
): Promise<Readable> {
  if (file.blob) return storage.get(file.blob);
  const entry = entries.get(file.name);
  if (!entry) throw new ArchiveRefused('The file is no longer in its archive.');
  return entry.open();
}
