import { and, desc, eq, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { conflict, notFound } from '@/lib/errors';

const { decisions, items, labelRisks, labels, stages, users } = tables;

export type HeldLabel = {
  label: typeof labels.$inferSelect;
  item: typeof items.$inferSelect;
  stageKind: (typeof stages.$inferSelect)['kind'];
};

/**
 * Locks the item of a label, as everything that makes or ends labels does, and reads the label after that: of two
 * curators at one label the second waits and then sees what the first one did.
 */
export async function holdLabel(
  tx: Transaction,
  { projectId, labelId }: { projectId: string; labelId: string },
): Promise<HeldLabel> {
  const [held] = await tx
    .select({ item: items, stageKind: stages.kind })
    .from(items)
    .innerJoin(labels, eq(labels.itemId, items.id))
    .innerJoin(stages, eq(stages.id, items.stageId))
    .where(and(eq(labels.id, labelId), eq(labels.projectId, projectId)))
    .for('no key update', { of: items });
  if (!held) throw notFound('label');
  const [label] = await tx.select().from(labels).where(eq(labels.id, labelId));
  if (!label) throw notFound('label');
  return { ...held, label };
}

/** Refuses to decide again what was decided, and says who did it. */
export async function requireUnreviewed(tx: Transaction, { label }: HeldLabel): Promise<void> {
  const [risk] = await tx
    .select({ reviewedAt: labelRisks.reviewedAt })
    .from(labelRisks)
    .where(eq(labelRisks.labelId, label.id));
  if (label.isCurrent && !risk?.reviewedAt) return;
  const last = await lastDecision(tx, label.id);
  if (last)
    throw conflict(
      `${last.by ?? 'A rule'} has decided about this label: ${last.verdict}. Go on to the next one.`,
    );
  throw conflict('This label was replaced by a newer one. Go on to the next one.');
}

export async function lastDecision(tx: Transaction, labelId: string) {
  const [last] = await tx
    .select({ id: decisions.id, verdict: decisions.verdict, by: users.name, evidence: decisions.evidence })
    .from(decisions)
    .leftJoin(users, eq(users.id, decisions.decidedBy))
    .where(and(eq(decisions.subject, 'label'), eq(decisions.subjectId, labelId), isVerdict))
    .orderBy(desc(decisions.createdAt), desc(decisions.id))
    .limit(1);
  return last;
}

/** What was found in a sampled audit is no verdict on the label: it stays as it is until somebody acts on it. */
const isVerdict = sql`${decisions.verdict} not like 'audit-%'`;

/** Takes a label out of the queue, or puts it back. One that nobody has rated is rated by its confidence. */
export async function markReviewed(
  tx: Transaction,
  { label, item }: HeldLabel,
  isReviewed: boolean,
): Promise<void> {
  await tx
    .insert(labelRisks)
    .values({
      labelId: label.id,
      projectId: label.projectId,
      stageId: item.stageId,
      risk: Math.min(0.98, Math.max(0.002, 1 - label.confidence)),
      reviewedAt: isReviewed ? sql`now()` : null,
    })
    .onConflictDoUpdate({
      target: labelRisks.labelId,
      set: { reviewedAt: isReviewed ? sql`now()` : null },
    });
}
