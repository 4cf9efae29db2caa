import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, type Db, newId, tables } from '@/db';
import { type Author, actorId } from '@/lib/core/actor';
import { conflict, invalid, notFound } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';

const { images, sliceImages, slices, users } = tables;

/** As people read it in filters and reports. */
export const SliceName = z.string().trim().min(1, 'Give the slice a name.').max(80);

interface NewSlice {
  projectId: string;
  name: string;
  /** Where they were picked. */
  evaluationId?: string | null;
  /** A query that gives ids of images; those of other projects are left out. */
  of: SQL;
}

/** Gives images a name by which they can be found, measured, annotated and frozen. One statement, however many. */
export async function makeSlice(
  db: Database,
  actor: Author,
  { projectId, name: given, evaluationId = null, of }: NewSlice,
): Promise<{ id: string; name: string; images: number }> {
  const parsed = SliceName.safeParse(given);
  if (!parsed.success) throw invalid(parsed.error.issues[0]?.message ?? 'Give the slice another name.');
  const name = parsed.data;
  return db.transaction(async (tx) => {
    const id = newId();
    const made = await tx
      .insert(slices)
      .values({ id, projectId, evaluationId, name, createdBy: actorId(actor) })
      .onConflictDoNothing()
      .returning({ id: slices.id });
    if (made.length === 0)
      throw conflict(`A slice called "${name}" already exists. Choose another name, or delete that slice.`);
    await tx.execute(sql`
      insert into ${sliceImages} (slice_id, image_id)
      select ${id}::uuid, i.id from ${images} i
      where i.project_id = ${projectId} and i.state <> 'derived' and i.id in (${of})`);
    const count = await tx.$count(sliceImages, eq(sliceImages.sliceId, id));
    if (count === 0) throw invalid('No images selected. Select images, then create the slice.');
    await record(tx, {
      actor,
      verb: 'slice.make',
      subject: 'slice',
      subjectId: id,
      projectId,
      detail: { name, images: count, ...(evaluationId && { evaluationId }) },
    });
    return { id, name, images: count };
  });
}

/** Forgets which images were picked; the images, and versions that were frozen of them, stay. */
export async function deleteSlice(
  db: Database,
  actor: Author,
  { projectId, sliceId }: { projectId: string; sliceId: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const [gone] = await tx
      .delete(slices)
      .where(and(eq(slices.id, sliceId), eq(slices.projectId, projectId)))
      .returning({ name: slices.name });
    if (!gone) throw notFound('slice');
    await record(tx, {
      actor,
      verb: 'slice.delete',
      subject: 'slice',
      subjectId: sliceId,
      projectId,
      detail: { name: gone.name },
    });
  });
}

interface SliceView {
  id: string;
  name: string;
  images: number;
  /** The evaluation in whose gallery the images were picked. */
  evaluationId: string | null;
  by: string | null;
  at: Date;
}

/** As many as a page and a menu can show. */
const MAX_SLICES = 500;

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
    .limit(MAX_SLICES);
