import { and, eq } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import type { Author } from '@/lib/core/actor';
import { notFound } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';

const { slices } = tables;

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
