import { and, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { type GuideExample, guideExamples } from '@/lib/crowd/guide-examples';

/** By attribute or part. */
export type Examples = Readonly<Record<string, readonly GuideExample[]>>;

const { batches, projects } = tables;

/** Pictures to show beside the work. Labels of a real project are nobody's choice of an example. */
export async function batchExamples(db: Db, workerId: string, batchId: string): Promise<Examples> {
  const [project] = await db
    .select({ id: projects.id, isDemo: projects.isDemo })
    .from(batches)
    .innerJoin(projects, eq(projects.id, batches.projectId))
    .where(and(eq(batches.id, batchId), eq(batches.workerId, workerId)));
  return project?.isDemo ? Object.fromEntries(await guideExamples(db, project.id)) : {};
}
