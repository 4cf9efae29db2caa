import { and, eq, inArray, sql } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { enqueue } from '@/lib/services/jobs/enqueue';
import { activeStates } from '@/lib/services/jobs/job-row';
import { findUncompared, installedModels } from './compare-answers';

const { jobs, models, projects, settings } = tables;

export const COMPARE_JOB = 'compare-answers';

const EVERY_MINUTES = 5;

/**
 * Enqueues the comparison of answers with models in projects where some are due. At most one of several worker
 * processes does this every few minutes. Nothing is due without an installed or promoted model.
 */
export async function compareDue(db: Database): Promise<number> {
  return db.transaction(async (tx) => {
    const [turn] = await tx
      .insert(settings)
      .values({ key: 'comparison.lastStarted', value: sql`to_jsonb(now())` })
      .onConflictDoUpdate({
        target: settings.key,
        set: { value: sql`to_jsonb(now())`, updatedAt: sql`now()` },
        setWhere: sql`${settings.updatedAt} < now() - make_interval(mins => ${EVERY_MINUTES})`,
      })
      .returning({ key: settings.key });
    if (!turn) return 0;
    const hasPublicModel = installedModels() !== null;
    const open = await tx
      .select({ id: projects.id, modelId: models.id })
      .from(projects)
      .leftJoin(models, and(eq(models.projectId, projects.id), eq(models.state, 'promoted')))
      .where(inArray(projects.state, ['collecting', 'paused']));
    let started = 0;
    for (const { id: projectId, modelId } of open) {
      if (!hasPublicModel && !modelId) continue;
      const [running] = await tx
        .select({ id: jobs.id })
        .from(jobs)
        .where(
          and(
            eq(jobs.projectId, projectId),
            eq(jobs.kind, COMPARE_JOB),
            inArray(jobs.state, [...activeStates]),
          ),
        )
        .limit(1);
      if (running) continue;
      const due = await findUncompared(tx, projectId, { hasPublicModel, modelId, limit: 1 });
      if (due.length === 0) continue;
      await enqueue(tx, COMPARE_JOB, { projectId }, { title: 'Compare answers with models', projectId });
      started++;
    }
    return started;
  });
}
