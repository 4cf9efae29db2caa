import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { SourceTree } from '@/lib/core/formats/format';
import { limits } from '@/lib/core/image-limits';
import { type Archive, openArchiveFile } from '@/lib/services/images/ingest/archive';
import { labelFrom } from '@/lib/services/images/ingest/label';
import type { Entries } from '@/lib/services/images/ingest/open-archives';
import { openFile } from '@/lib/services/images/ingest/open-file';
import type { UploadFile } from '@/lib/services/images/ingest/receive-file';
import { readAll, type Storage } from '@/lib/services/storage';

/** Labels of a whole set may be in one file; more than this does not fit into the memory of a small machine. */
const LARGEST_FILE = 1024 ** 3;

/** Files of this machine, by the names that the command line gave them. */
export function fileTree(files: readonly { name: string; file: string }[]): SourceTree {
  const byName = new Map(files.map(({ name, file }) => [labelFrom(name), file]));
  return {
    paths: [...byName.keys()].sort(),
    async bytes(name) {
      const file = byName.get(name);
      if (file === undefined) throw new Error(`There is no ${name}.`);
      const { size } = await stat(file);
      if (size > LARGEST_FILE)
        throw new Error(`${path.basename(file)} is larger than ${LARGEST_FILE / 1024 ** 3} GB. Split it.`);
      return readFile(file);
    },
  };
}

/** A zip of this machine. */
export async function zipTree(file: string): Promise<SourceTree> {
  return archiveTree(await openArchiveFile(file));
}

function archiveTree({ entries }: Archive): SourceTree {
  return {
    paths: [...entries.keys()].sort(),
    async bytes(name) {
      const entry = entries.get(name);
      if (!entry) throw new Error(`There is no ${name} in the archive.`);
      if (entry.refused) throw new Error(`${name}: ${entry.refused}`);
      return readAll(await entry.open(), limits.pictureBytes);
    },
  };
}

/** What was sent to an upload: loose files, and the entries of its archives. */
export function uploadTree(storage: Storage, files: readonly UploadFile[], archives: Entries): SourceTree {
  const loose = new Map(files.filter(({ blob }) => blob !== null).map((file) => [file.name, file]));
  return {
    paths: [...loose.keys(), ...archives.keys()].sort(),
    async bytes(name) {
      const entry = archives.get(name);
      if (entry?.refused) throw new Error(`${name}: ${entry.refused}`);
      const file = loose.get(name);
      if (!entry && !file) throw new Error(`There is no ${name} in the upload.`);
      return readAll(await openFile(storage, file ?? { name, blob: null }, archives), limits.pictureBytes);
    },
  };
}
