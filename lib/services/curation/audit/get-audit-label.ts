import { and, desc, eq } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { boundaryIou, decodeCounts, iou } from '@/lib/core/mask';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { explanationSentence } from '@/lib/core/quality/posterior';
import type { DatasetSchema } from '@/lib/core/schema';
import { readReliability } from '@/lib/services/crowd/trust/read-reliability';
import { effectivePolicy } from '@/lib/services/crowd/work/effective-policy';
import { type Target, targetOf } from '@/lib/services/crowd/work/target-of';
import { signBlobUrl } from '@/lib/services/storage';
import { type CountedAnswer, countedAnswers } from './counted-answers';
import { agreementOf } from './rate-labels';

const { decisions, derivatives, images, items, labelRisks, labels, projects, schemaVersions, stages, users } =
  tables;

export type AuditAnswer = {
  id: string;
  workerId: string;
  worker: string;
  /** Estimated share of right answers of this worker in the stage. */
  accuracy: number;
  value: AnswerValue;
  mask: string | null;
  /** Size-aware agreement with the label, 0 to 1. */
  agreement: number;
  /** Null where the answer or the label has no mask. */
  iou: number | null;
  boundaryIou: number | null;
};

export type AuditLabel = Awaited<ReturnType<typeof getAuditLabel>>;

/** A label with all that a curator looks at to judge it. Seven statements. */
export async function getAuditLabel(db: Database, input: { projectId: string; labelId: string }) {
  return db.transaction(async (tx) => {
    const { label, item, image, working, stage, schema, policy, risk } = await find(tx, input);
    const { width, height } = image;
    const own = effectivePolicy(policy, stage.policy);
    const given = await countedAnswers(tx, [item.id]);
    const workerIds = [...new Set(given.map((answer) => answer.workerId))];
    const { workers } = await readReliability(tx, { stageId: stage.id, policy: own }, workerIds);
    const value = label.value as AnswerValue;
    const facts = { stageKind: stage.kind, value, mask: label.mask, width, height };
    return {
      id: label.id,
      itemId: item.id,
      imageId: image.id,
      isCurrent: label.isCurrent,
      source: label.source,
      confidence: label.confidence,
      /** Why the label is what it is, in one sentence; null where people or files made it. */
      explanation: explanationSentence(label.provenance, attributeName(schema as DatasetSchema)),
      createdAt: label.createdAt,
      value,
      mask: label.mask,
      area: label.area,
      stage: { id: stage.id, kind: stage.kind, name: stage.name },
      target: targetOf(schema, stage.kind, image.className, item.target) satisfies Target | null,
      /** For the form by which attributes are put right. */
      schema: stage.kind === 'attributes' || stage.kind === 'oracle' ? (schema as DatasetSchema) : null,
      image: {
        name: image.name,
        className: image.className,
        width,
        height,
        url: signBlobUrl(working?.blob ?? image.blob),
      },
      risk: risk && { ...risk, reviewedAt: risk.reviewedAt },
      answers: given.map((answer): AuditAnswer => {
        const scores = scoresOf(label.mask, answer, height, width);
        const { id, workerId, worker } = answer;
        return {
          id,
          workerId,
          worker,
          accuracy: workers.get(workerId)?.accuracy ?? own.trustPrior.accuracy,
          value: answer.value,
          mask: answer.mask,
          agreement: agreementOf(facts, answer, own),
          ...scores,
        };
      }),
      history: await historyOf(tx, label.id),
    };
  });
}

const attributeName = (schema: DatasetSchema) => (id: string) =>
  schema.attributes.find((attribute) => attribute.id === id)?.name ?? id;

async function find(tx: Transaction, { projectId, labelId }: { projectId: string; labelId: string }) {
  const [found] = await tx
    .select({
      label: labels,
      item: { id: items.id, target: items.target },
      image: {
        id: images.id,
        name: images.name,
        className: images.className,
        width: images.width,
        height: images.height,
        blob: images.blob,
      },
      working: { blob: derivatives.blob },
      stage: { id: stages.id, kind: stages.kind, name: stages.name, policy: stages.policy },
      schema: schemaVersions.document,
      policy: projects.policy,
      risk: {
        risk: labelRisks.risk,
        agreement: labelRisks.agreement,
        disagreement: labelRisks.disagreement,
        warnings: labelRisks.warnings,
        reviewedAt: labelRisks.reviewedAt,
      },
    })
    .from(labels)
    .innerJoin(items, eq(items.id, labels.itemId))
    .innerJoin(images, eq(images.id, labels.imageId))
    .innerJoin(stages, eq(stages.id, items.stageId))
    .innerJoin(projects, eq(projects.id, labels.projectId))
    .innerJoin(schemaVersions, eq(schemaVersions.id, items.schemaVersionId))
    .leftJoin(derivatives, and(eq(derivatives.imageId, images.id), eq(derivatives.kind, 'working')))
    .leftJoin(labelRisks, eq(labelRisks.labelId, labels.id))
    .where(and(eq(labels.id, labelId), eq(labels.projectId, projectId)));
  if (!found) throw notFound('label');
  return found;
}

function scoresOf(mask: string | null, answer: CountedAnswer, height: number, width: number) {
  if (mask === null || answer.mask === null) return { iou: null, boundaryIou: null };
  if (mask === answer.mask) return { iou: 1, boundaryIou: 1 };
  const [a, b] = [decodeCounts(mask, height, width), decodeCounts(answer.mask, height, width)];
  return { iou: iou(a, b), boundaryIou: boundaryIou(a, b) };
}

const historyOf = (tx: Transaction, labelId: string) =>
  tx
    .select({
      id: decisions.id,
      at: decisions.createdAt,
      verdict: decisions.verdict,
      reason: decisions.reason,
      by: users.name,
      rule: decisions.rule,
    })
    .from(decisions)
    .leftJoin(users, eq(users.id, decisions.decidedBy))
    .where(and(eq(decisions.subject, 'label'), eq(decisions.subjectId, labelId)))
    .orderBy(desc(decisions.createdAt), desc(decisions.id));
