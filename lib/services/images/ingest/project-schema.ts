import { eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { DatasetSchema } from '@/lib/core/schema';

const { projects, schemaVersions } = tables;

/** The schema that new items of the project get, or null while it has none. */
export async function readProjectSchema(db: Db, projectId: string): Promise<DatasetSchema | null> {
  const [row] = await db
    .select({ document: schemaVersions.document })
    .from(projects)
    .innerJoin(schemaVersions, eq(schemaVersions.id, projects.schemaVersionId))
    .where(eq(projects.id, projectId));
  return row?.document ?? null;
}
