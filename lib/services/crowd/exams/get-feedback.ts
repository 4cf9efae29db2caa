import { and, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { conflict, notFound } from '@/lib/core/errors';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { scoreCheck } from '@/lib/core/quality/score-check';
import { requireScope, type UserActor } from '@/lib/services/access';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { guideOf } from '../guide';
import { projectTexts } from '../translations/read';
import { translateGuide } from '../translations/translate-guide';
import { effectivePolicy } from '../work/effective-policy';
import { membershipOf } from '../work/own-work';
import { drawsMasks } from '../work/pay-for';

const { answers, batches, checks, gold, images, items, leases, memberships, projects, stages } = tables;

export interface Feedback {
  passed: boolean;
  /** What was compared: iou, or precision and recall, whichever apply. */
  score: Record<string, number>;
  /** What the mean of `score.level` has to reach in an exam; null where forms are scored. */
  bar: number | null;
  /** What trusted people answered; the mask as compressed COCO counts of the upright image. */
  truth: { value: AnswerValue; mask: string | null };
  /** What the curator wrote about the part or the stage: its definition, and why some examples are not good. */
  guide: { definition: string; notes: string[] };
}

/** How an item of practice was answered, and what was right. A lease of any other batch has no feedback. */
export async function getFeedback(
  db: Db,
  actor: UserActor,
  input: { leaseId: string; language?: string },
): Promise<Feedback> {
  requireScope(actor, 'work.read');
  const [row] = await db
    .select({
      stageKind: stages.kind,
      projectPolicy: projects.policy,
      stagePolicy: stages.policy,
      height: images.height,
      width: images.width,
      truth: { value: gold.value, mask: gold.mask },
      answer: { value: answers.value, mask: answers.mask },
      projectId: projects.id,
      stageId: stages.id,
      target: items.target,
    })
    .from(leases)
    .innerJoin(batches, and(eq(batches.id, leases.batchId), eq(batches.kind, 'practice')))
    .innerJoin(memberships, membershipOf(batches.projectId, leases.workerId))
    .innerJoin(checks, eq(checks.leaseId, leases.id))
    .innerJoin(gold, eq(gold.id, checks.goldId))
    .innerJoin(items, eq(items.id, leases.itemId))
    .innerJoin(images, eq(images.id, items.imageId))
    .innerJoin(stages, eq(stages.id, batches.stageId))
    .innerJoin(projects, eq(projects.id, batches.projectId))
    .leftJoin(answers, eq(answers.leaseId, leases.id))
    .where(and(eq(leases.id, input.leaseId), eq(leases.workerId, actor.userId)));
  if (!row) throw notFound('lease');
  if (!row.answer) throw conflict('Answer the item first: then you see how it compares.');
  const truth = { value: row.truth.value as AnswerValue, mask: row.truth.mask };
  const answer = { value: row.answer.value as AnswerValue, mask: row.answer.mask };
  const policy = effectivePolicy(row.projectPolicy, row.stagePolicy);
  const { stageKind, height, width } = row;
  return {
    ...scoreCheck({ stageKind, height, width, policy, answer, gold: truth }),
    truth,
    bar: drawsMasks(stageKind) ? policy.maskExam.minMeanIou : null,
    guide: await guideFor(db, row, input.language ?? null),
  };
}

async function guideFor(
  db: Db,
  { projectId, stageId, target }: { projectId: string; stageId: string; target: string },
  language: string | null,
): Promise<Feedback['guide']> {
  const schema = await readProjectSchema(db, projectId);
  if (!schema) throw notFound('stage');
  const guide = await guideOf(db, projectId, stageId);
  const { general, targets } = translateGuide(guide, schema, await projectTexts(db, projectId, language));
  const part = targets.find((each) => each.target === target) ?? general;
  const notes = part.examples.flatMap(({ verdict, note }) => (verdict === 'not good' && note ? [note] : []));
  return { definition: part.short, notes };
}
