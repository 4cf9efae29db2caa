import { and, desc, eq, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { sliceImages, slices, users } = tables;

export interface SliceView {
  id: string;
  name: string;
  images: number;
  /** The evaluation in whose gallery the images were picked. */
  evaluationId: string | null;
  by: string | null;
  at: Date;
}

/** As many as a page and a menu can show. */
const MOST = 500;

/** The slices of a project, newest first. One statement. */
export const listSlices = (
  db: Db,
  { projectId, evaluationId }: { projectId: string; evaluationId?: string },
): Promise<SliceView[]> =>
  db
    .select({
      id: slices.id,
      name: slices.name,
      images: sql<number>`(select count(*)::int from ${sliceImages} m where m.slice_id = ${slices.id})`,
      evaluationId: slices.evaluationId,
      by: users.name,
      at: slices.createdAt,
    })
    .from(slices)
    .leftJoin(users, eq(users.id, slices.createdBy))
    .where(
      and(eq(slices.projectId, projectId), evaluationId ? eq(slices.evaluationId, evaluationId) : undefined),
    )
    .orderBy(desc(slices.id))
    .limit(MOST);
