import { and, eq, ne, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { images } = tables;

export async function countByClass(db: Db, projectId: string) {
  return db
    .select({ className: images.className, count: sql<number>`count(*)::int` })
    .from(images)
    .where(and(eq(images.projectId, projectId), ne(images.state, 'derived')))
    .groupBy(images.className)
    .orderBy(images.className);
}
