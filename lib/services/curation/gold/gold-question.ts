import { and, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { invalid, notFound } from '@/lib/core/errors';
import type { DatasetSchema } from '@/lib/core/schema';
import { stuffTargets } from '@/lib/services/crowd/work/change-following';
import { targetOf } from '@/lib/services/crowd/work/target-of';
import { drawnTargets, isDrawn } from '@/lib/services/projects/schema/expected-questions';
import { signBlobUrl } from '@/lib/services/storage';

const { derivatives, gold, images, items, projects, schemaVersions, stages } = tables;

export interface GoldPlace {
  projectId: string;
  stageId: string;
  imageId: string;
  /** The attribute or part; empty where the stage asks about the whole image. */
  target: string;
}

/** The question that a curator wants to answer for good, with the gold that it may have already. */
export async function goldQuestion(db: Db, { projectId, stageId, imageId, target }: GoldPlace) {
  const [found] = await db
    .select({
      stage: stages,
      policy: projects.policy,
      schema: schemaVersions.document,
      schemaVersionId: schemaVersions.id,
      image: images,
      working: { blob: derivatives.blob },
    })
    .from(images)
    .innerJoin(projects, eq(projects.id, images.projectId))
    .innerJoin(schemaVersions, eq(schemaVersions.id, projects.schemaVersionId))
    .innerJoin(stages, and(eq(stages.projectId, projects.id), eq(stages.id, stageId)))
    .leftJoin(derivatives, and(eq(derivatives.imageId, images.id), eq(derivatives.kind, 'working')))
    .where(and(eq(images.id, imageId), eq(images.projectId, projectId)));
  if (!found) throw notFound('question');
  const { stage, schema, image } = found;
  const problem = targetProblem(schema, stage.kind, image.className, target);
  if (problem) throw invalid(problem);
  const [known] = await db
    .select({ gold })
    .from(gold)
    .innerJoin(items, eq(items.id, gold.itemId))
    .where(and(eq(items.stageId, stageId), eq(items.imageId, imageId), eq(items.target, target)));
  return {
    stage,
    schema,
    schemaVersionId: found.schemaVersionId,
    projectPolicy: found.policy,
    image: {
      id: image.id,
      name: image.name,
      className: image.className,
      width: image.width,
      height: image.height,
      state: image.state,
      url: signBlobUrl(found.working?.blob ?? image.blob),
    },
    target: targetOf(schema, stage.kind, image.className, target),
    known: known?.gold ?? null,
  };
}

/** Why a stage does not ask this about an image; undefined when it does. */
export function targetProblem(
  schema: DatasetSchema,
  kind: typeof stages.$inferSelect.kind,
  className: string | null,
  target: string,
): string | undefined {
  if (kind === 'object-mask' && stuffTargets(schema, className).includes(target)) return undefined;
  if (kind !== 'part-mask') return target === '' ? undefined : 'This stage asks about the whole image.';
  if (isDrawn(drawnTargets(schema), target, className)) return undefined;
  const isKnown = [...schema.parts, ...schema.attributes].some(({ id }) => id === target);
  if (!isKnown) return `The schema has nothing called "${target}".`;
  return className === null
    ? `The image has no class, so "${target}" is not asked about it.`
    : `"${target}" is not drawn on the class "${className}".`;
}
