import { eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import type { Dataset } from '@/lib/core/formats/dataset';
import type { Storage } from '@/lib/services/storage';
import { ManifestHeader } from '../manifest/header';
import { readLine, type VersionImage } from '../manifest/line';
import { readLines } from '../manifest/read-lines';

const { projects } = tables;

export interface OpenVersion extends Dataset {
  header: ManifestHeader;
  images(): AsyncGenerator<VersionImage>;
}

/** A version as a dataset: one line of its manifest in memory at a time, read anew each time it is asked. */
export async function openVersion(
  db: Db,
  storage: Storage,
  version: { projectId: string; hash: string; manifest: string },
): Promise<OpenVersion> {
  const [project] = await db
    .select({ name: projects.name })
    .from(projects)
    .where(eq(projects.id, version.projectId));
  const lines = async function* () {
    if (!(await storage.stat(version.manifest)))
      throw new TesseraError('unavailable', 'The manifest of the version is not in the store.');
    yield* readLines(await storage.get(version.manifest));
  };
  const header = await firstOf(lines());
  return {
    name: project?.name ?? '',
    hash: version.hash,
    schema: header.schema,
    splits: header.splits,
    count: header.images,
    licence: header.licence,
    header,
    async *images() {
      let isFirst = true;
      for await (const { text } of lines()) {
        if (!isFirst) yield readLine(text);
        isFirst = false;
      }
    },
  };
}

async function firstOf(lines: AsyncGenerator<{ text: string }>): Promise<ManifestHeader> {
  try {
    const { value } = await lines.next();
    return ManifestHeader.parse(JSON.parse((value as { text: string }).text));
  } finally {
    await lines.return(undefined);
  }
}
