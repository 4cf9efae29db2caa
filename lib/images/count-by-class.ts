import { eq, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { images } = tables;

export async function countByClass(db: Db, projectId: string) {
  return db
    .select({ className: images.className, count: sql<number>`count(*)::int` })
    .from(images)
    .where(eq(images.projectId, projectId))
    .groupBy(images.className)
    .orderBy(images.className);
}
