import { eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { guidePictures: kept } = tables;

/** The pictures that the guide of a project may show. */
export async function guidePictures(db: Db, projectId: string): Promise<Set<string>> {
  const rows = await db.select({ blob: kept.blob }).from(kept).where(eq(kept.projectId, projectId));
  return new Set(rows.map(({ blob }) => blob));
}
