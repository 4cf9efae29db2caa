import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { MAX_VERTICES } from '@/lib/core/editor/document/limits';
import { invalid, notFound } from '@/lib/core/errors';
import { area, encodeCounts, type Mask, MaskError, merge, rasterizeInstances } from '@/lib/core/mask';
import { AnswerValue, CANNOT_TELL } from '@/lib/core/quality/answer';
import {
  canHaveInstances,
  type LabelFlag,
  labelFlags,
  MAX_INSTANCES,
  validateAttributes,
} from '@/lib/core/schema';
import { requireScope, type UserActor } from '@/lib/services/access';
import { membershipOf } from './own-work';

const { answers, batches, images, items, leases, memberships, schemaVersions, stages } = tables;

/**
 * An answer with its mask. `mask` is compressed COCO counts and `area` its pixels; both are null for an answer without
 * a drawing. `value` has the instances that the server found in the shapes.
 */
export type Drawn = { value: AnswerValue } & ({ mask: string; area: number } | { mask: null; area: null });

const fitting: Record<StageKind, readonly AnswerValue['kind'][]> = {
  attributes: ['attributes'],
  'object-mask': ['mask', 'nothing'],
  'part-mask': ['mask', 'nothing'],
  oracle: ['class'],
};

/**
 * Refuses an answer that does not fit its question, and draws its mask and instances again: those of the client are
 * never used. `allowedFlags`: other flags are left out, because a worker who is not asked for them could take the object
 * out of training with "crowd".
 */
export function checkAnswer(
  question: Pick<Question, 'stageKind' | 'schema' | 'target' | 'className' | 'height' | 'width'>,
  value: AnswerValue,
  allowedFlags: readonly LabelFlag[] = labelFlags,
): Drawn {
  if (!fitting[question.stageKind].includes(value.kind)) {
    const wanted = fitting[question.stageKind].join(' or ');
    throw invalid(`This item asks for ${wanted}, the answer is of the kind ${value.kind}.`);
  }
  if (value.kind === 'mask') return draw(question, value, allowedFlags);
  if (value.kind === 'attributes') {
    const problems = validateAttributes(question.schema, value.choices);
    if (problems[0])
      throw invalid(problems.map((problem) => problem.message).join(' '), { problems, code: 'incomplete' });
  }
  if (value.kind === 'class' && !isOffered(question.schema, value.className)) {
    throw invalid(`The schema has no class "${value.className}".`);
  }
  return { value, mask: null, area: null };
}

const isOffered = ({ classes }: Question['schema'], className: string): boolean =>
  className === CANNOT_TELL || classes.some(({ id }) => id === className);

type MaskValue = Extract<AnswerValue, { kind: 'mask' }>;

/** Of all instances of an answer together: 16 MB. A thousand objects of a thousand pixels across have half as many. */
const MAX_RUNS = 2 ** 22;

function draw(
  question: Parameters<typeof checkAnswer>[0],
  value: MaskValue,
  allowedFlags: readonly LabelFlag[],
): Drawn {
  const masks = rasterize(question, value);
  if (masks.length > MAX_INSTANCES)
    throw invalid(`The drawing has ${masks.length} instances, at most ${MAX_INSTANCES} are possible.`);
  const mask = masks.length > 0 ? merge(masks) : undefined;
  const pixels = mask ? area(mask) : 0;
  if (!mask || pixels === 0)
    throw invalid('The drawing covers no pixel of the image. Draw the area, or choose "Nothing to label".', {
      code: 'emptyDrawing',
    });
  const { instances: _, flags: given = [], ...rest } = value;
  const { stageKind, schema, target, className } = question;
  const isNumbered =
    (stageKind === 'object-mask' || stageKind === 'part-mask') &&
    canHaveInstances(schema, stageKind, target, className);
  const flags = labelFlags.filter((flag) => given.includes(flag) && allowedFlags.includes(flag));
  return {
    value: {
      ...rest,
      ...(isNumbered && masks.length > 1 && { instances: masks.map(encodeCounts) }),
      ...(flags.length > 0 && { flags }),
    },
    mask: encodeCounts(mask),
    area: pixels,
  };
}

function rasterize({ height, width }: { height: number; width: number }, { shapes }: MaskValue): Mask[] {
  try {
    return rasterizeInstances(shapes, height, width, { maxRuns: MAX_RUNS });
  } catch (error) {
    if (!(error instanceof MaskError)) throw error;
    throw invalid(`The drawing is not valid. ${error.message}.`, { where: error.where, code: error.code });
  }
}

/** What a lease of the worker asks, and the answer if it has one. The lease of another does not exist. */
export async function findQuestion(db: Db, actor: UserActor, leaseId: string) {
  requireScope(actor, 'work.finish');
  const [question] = await db
    .select({
      stageKind: stages.kind,
      schemaVersionId: items.schemaVersionId,
      schema: schemaVersions.document,
      target: items.target,
      className: images.className,
      width: images.width,
      height: images.height,
      batchKind: batches.kind,
      batchState: batches.state,
      answer: { id: answers.id, storedAt: answers.createdAt },
    })
    .from(leases)
    .innerJoin(batches, eq(batches.id, leases.batchId))
    .innerJoin(memberships, membershipOf(batches.projectId, leases.workerId))
    .innerJoin(items, eq(items.id, leases.itemId))
    .innerJoin(stages, eq(stages.id, items.stageId))
    .innerJoin(images, eq(images.id, items.imageId))
    .innerJoin(schemaVersions, eq(schemaVersions.id, items.schemaVersionId))
    .leftJoin(answers, eq(answers.leaseId, leases.id))
    .where(and(eq(leases.id, leaseId), eq(leases.workerId, actor.userId)));
  if (!question) throw notFound('lease');
  return question;
}

export type Question = Awaited<ReturnType<typeof findQuestion>>;

/** An answer as it comes from outside. The vertices are counted first: a list that is too long is told as such. */
export const SubmittedValue = z
  .unknown()
  .superRefine((value, context) => {
    const count = countVertices(value);
    if (count <= MAX_VERTICES) return;
    const message = `the drawing has ${count.toLocaleString('en')} vertices, at most ${MAX_VERTICES.toLocaleString('en')} can be stored`;
    context.addIssue({ code: 'custom', message });
  })
  .pipe(AnswerValue);

/** Vertices of whatever is a list of coordinates in something that may or may not be a drawing. */
function countVertices(value: unknown): number {
  const shapes = listOf(fieldOf(value, 'shapes'));
  const lists = shapes.flatMap((shape) => [
    fieldOf(shape, 'outer'),
    fieldOf(shape, 'points'),
    ...listOf(fieldOf(shape, 'holes')),
  ]);
  return lists.reduce<number>((sum, list) => sum + Math.ceil(listOf(list).length / 2), 0);
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
