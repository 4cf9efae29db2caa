import { asc, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { countProjects, type ProjectCounts } from './count-projects';

const { projects, schemaVersions, stages } = tables;

/** One project with its present schema, its stages and its counts. The caller has authorised it. */
export async function getProject(db: Db, projectId: string) {
  const [found] = await db
    .select({ project: projects, schemaNumber: schemaVersions.number, schema: schemaVersions.document })
    .from(projects)
    .leftJoin(schemaVersions, eq(schemaVersions.id, projects.schemaVersionId))
    .where(eq(projects.id, projectId));
  if (!found) throw notFound('project');
  const questions = await db
    .select()
    .from(stages)
    .where(eq(stages.projectId, projectId))
    .orderBy(asc(stages.position));
  const counts = (await countProjects(db, [projectId])).get(projectId) as ProjectCounts;
  return {
    ...found.project,
    schema: found.schema,
    schemaNumber: found.schemaNumber,
    stages: questions,
    counts,
  };
}
