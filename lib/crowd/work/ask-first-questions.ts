import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { effectivePolicy } from './effective-policy';
import { firstQuestions } from './following-questions';

const { gold, images, items, projects, schemaVersions, stages } = tables;

/** Images looked at in one go; with 40 parts each, their items stay within one statement's 65,535 parameters. */
const PAGE = 100;

/**
 * Makes the first items of every image of a project that has none: when the project begins to collect, and
 * when images arrive while it does.
 */
export async function askFirstQuestions(tx: Transaction, input: { projectId: string }): Promise<void> {
  const { projectId } = input;
  const [project] = await tx
    .select({ policy: projects.policy, schemaVersionId: schemaVersions.id, schema: schemaVersions.document })
    .from(projects)
    .innerJoin(schemaVersions, eq(schemaVersions.id, projects.schemaVersionId))
    .where(eq(projects.id, projectId));
  if (!project) return;
  const { policy, schema, schemaVersionId } = project;
  const asked = await tx.select().from(stages).where(eq(stages.projectId, projectId));
  const overlap = new Map(asked.map((stage) => [stage.id, effectivePolicy(policy, stage.policy).overlap]));
  for (let page = await nextImages(tx, projectId); page.length > 0; ) {
    const rows = page.flatMap(({ id: imageId, className }) =>
      firstQuestions(schema, asked, className).map((question) => ({
        ...question,
        projectId,
        imageId,
        schemaVersionId,
        overlap: overlap.get(question.stageId),
      })),
    );
    if (rows.length > 0) await tx.insert(items).values(rows).onConflictDoNothing();
    page = await nextImages(tx, projectId, page.at(-1)?.id);
  }
}

const nextImages = (tx: Transaction, projectId: string, after?: string) =>
  tx
    .select({ id: images.id, className: images.className })
    .from(images)
    .where(
      and(
        eq(images.projectId, projectId),
        eq(images.state, 'active'),
        after ? gt(images.id, after) : undefined,
        // Gold that was written before the collecting began is no question to anybody yet.
        sql`not exists (select 1 from ${items} where ${items.imageId} = ${images.id}
          and not exists (select 1 from ${gold} where ${gold.itemId} = ${items.id}))`,
      ),
    )
    .orderBy(asc(images.id))
    .limit(PAGE);
