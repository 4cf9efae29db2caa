import path from 'node:path';
import { eq } from 'drizzle-orm';
import { newId, tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import type { DatasetSchema } from '@/lib/core/schema';
import { type IngestContext, ingestFiles } from '@/lib/services/images/ingest/ingest-upload';
import type { UploadCounts, UploadOptions } from '@/lib/services/images/ingest/uploads';
import { localDisk } from '@/lib/services/storage';
import { useDatabase } from '../../../support/database';
import { useHome } from '../../../support/home';

export const curator = systemActor('a curator');

const schema: DatasetSchema = {
  id: 'animals',
  name: 'Animals',
  description: 'Two of them.',
  classes: [
    { id: 'cat', name: 'Cat', wnids: ['n02123045'] },
    { id: 'dog', name: 'Dog', wnids: ['n02084071'] },
  ],
  attributeGroups: [],
  attributes: [],
  parts: [],
};

type Files = Record<string, Buffer | string>;

export const addsUp = (counts: UploadCounts) =>
  counts.waiting === 0 &&
  counts.files === counts.accepted + counts.duplicate + counts.refused + counts.opened;

/** A database, a home, and the short way from files to what became of them. */
export function useIngest() {
  const db = useDatabase();
  const home = useHome();
  const disk = () => localDisk(path.join(home(), 'blobs'));

  async function newProject(): Promise<string> {
    const [project] = await db()
      .insert(tables.projects)
      .values({ name: 'Animals', slug: `p-${newId()}` })
      .returning();
    const projectId = project?.id as string;
    const [version] = await db()
      .insert(tables.schemaVersions)
      .values({ projectId, number: 1, document: schema })
      .returning();
    await db()
      .update(tables.projects)
      .set({ schemaVersionId: version?.id })
      .where(eq(tables.projects.id, projectId));
    return projectId;
  }

  const context = (signal = new AbortController().signal): IngestContext & { lines: string[] } => {
    const lines: string[] = [];
    return {
      db: db(),
      storage: disk(),
      signal,
      lines,
      progress: async () => signal.throwIfAborted(),
      log: async (_, text) => void lines.push(text),
    };
  };

  async function ingest(files: Files, options: Partial<UploadOptions> = {}, projectId?: string) {
    const project = projectId ?? (await newProject());
    const using = context();
    const counts = await ingestFiles(using, {
      projectId: project,
      actor: curator,
      options,
      files: Object.entries(files).map(([name, content]) => ({ name, open: () => Buffer.from(content) })),
    });
    const rows = await db()
      .select()
      .from(tables.uploadFiles)
      .where(eq(tables.uploadFiles.uploadId, counts.uploadId));
    const images = await db().select().from(tables.images).where(eq(tables.images.projectId, project));
    return {
      project,
      counts,
      lines: using.lines,
      images,
      fate: Object.fromEntries(
        rows.map((row) => [row.name, row.reason ? `${row.state}: ${row.reason}` : row.state]),
      ),
      classes: Object.fromEntries(images.map((image) => [image.name, image.className])),
    };
  }

  return { db, disk, newProject, context, ingest };
}
