import { and, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { enqueue } from '@/lib/services/jobs/enqueue';
import { promotedModel } from './promoted-model';

const { jobs } = tables;

export const PREDICT_JOB = 'predict-images';

/** Has the promoted model look at the images it has not seen, if there is one and that does not wait to be done. */
export async function predictSoon(
  tx: Db,
  { projectId, startedBy = null }: { projectId: string; startedBy?: string | null },
): Promise<string | null> {
  const model = await promotedModel(tx, projectId);
  if (!model) return null;
  const [waiting] = await tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.projectId, projectId), eq(jobs.kind, PREDICT_JOB), eq(jobs.state, 'queued')))
    .limit(1)
    // Held: it begins after us, and so sees what we change.
    .for('no key update');
  if (waiting) return null;
  const title = `Have ${model.name} look at new images`;
  return enqueue(tx, PREDICT_JOB, { projectId }, { title, projectId, startedBy });
}
