import { eq, type SQL, sql } from 'drizzle-orm';
import { type Database, newId, tables } from '@/db';
import { type Author, actorId } from '@/lib/core/actor';
import { conflict, invalid } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { SliceName } from './slice-name';

const { images, sliceImages, slices } = tables;

export interface NewSlice {
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
      throw conflict(`There is a slice "${name}" already. Choose another name, or delete that one first.`);
    await tx.execute(sql`
      insert into ${sliceImages} (slice_id, image_id)
      select ${id}::uuid, i.id from ${images} i
      where i.project_id = ${projectId} and i.state <> 'derived' and i.id in (${of})`);
    const count = await tx.$count(sliceImages, eq(sliceImages.sliceId, id));
    if (count === 0) throw invalid('No image is selected: there is nothing to make a slice of.');
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
