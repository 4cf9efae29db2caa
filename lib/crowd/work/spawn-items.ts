import { and, eq, gt } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import type { AttributeChoices } from '@/lib/schema';
import { effectivePolicy } from './effective-policy';
import { followingQuestions } from './following-questions';

const { images, items, projects, schemaVersions, stages } = tables;

/**
 * Makes the items of the later stages that follow from accepted attributes. They keep the schema version of
 * their cause, whose attributes they name, and its priority. What is asked already is not asked again.
 */
export async function spawnItems(
  tx: Transaction,
  cause: typeof items.$inferSelect,
  choices: AttributeChoices,
): Promise<void> {
  const { projectId, imageId, schemaVersionId, priority } = cause;
  const [about] = await tx
    .select({
      className: images.className,
      schema: schemaVersions.document,
      policy: projects.policy,
      position: stages.position,
    })
    .from(items)
    .innerJoin(images, eq(images.id, items.imageId))
    .innerJoin(schemaVersions, eq(schemaVersions.id, items.schemaVersionId))
    .innerJoin(projects, eq(projects.id, items.projectId))
    .innerJoin(stages, eq(stages.id, items.stageId))
    .where(eq(items.id, cause.id));
  if (!about) throw new Error('An item has an image, a schema, a project and a stage.');
  const later = await tx
    .select({ id: stages.id, kind: stages.kind, policy: stages.policy })
    .from(stages)
    .where(and(eq(stages.projectId, projectId), gt(stages.position, about.position)));
  const overlap = new Map(
    later.map((stage) => [stage.id, effectivePolicy(about.policy, stage.policy).overlap]),
  );
  const rows = followingQuestions(about.schema, later, about.className, choices).map((question) => ({
    ...question,
    projectId,
    imageId,
    schemaVersionId,
    priority,
    overlap: overlap.get(question.stageId),
  }));
  if (rows.length > 0) await tx.insert(items).values(rows).onConflictDoNothing();
}
