import { eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';

/** Whose rights count: those in the project of the evaluation. */
export async function projectOfEvaluation(
  db: Db,
  { evaluation }: { evaluation: string },
): Promise<string | undefined> {
  const [row] = await db
    .select({ projectId: tables.evaluations.projectId })
    .from(tables.evaluations)
    .where(eq(tables.evaluations.id, evaluation));
  return row?.projectId;
}
