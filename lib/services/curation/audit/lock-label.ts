import { and, desc, eq, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { conflict, notFound } from '@/lib/core/errors';

const { decisions, gold, items, labelRisks, labels, stages, users } = tables;

export type LockedLabel = {
  label: typeof labels.$inferSelect;
  item: typeof items.$inferSelect;
  stageKind: (typeof stages.$inferSelect)['kind'];
};

/**
 * Locks the item of a label, as everything that makes or ends labels does, and reads the label after that: of two
 * curators at one label the second waits and then sees what the first one did. The form of the picture is locked with
 * it, in the order of ids as everywhere, because a part that turns out not to be there changes what the form says; and
 * with a form or an outline everything that may follow from it.
 */
export async function lockLabel(
  tx: Transaction,
  { projectId, labelId }: { projectId: string; labelId: string },
): Promise<LockedLabel> {
  const [found] = await tx
    .select({ itemId: labels.itemId, imageId: labels.imageId })
    .from(labels)
    .where(and(eq(labels.id, labelId), eq(labels.projectId, projectId)));
  if (!found) throw notFound('label');
  const { itemId, imageId } = found;
  await tx.execute(sql`
    select i.id from ${items} i join ${stages} s on s.id = i.stage_id
    where i.image_id = ${imageId} and (i.id = ${itemId} or s.kind = 'attributes' or exists (
      select 1 from ${items} own join ${stages} asks on asks.id = own.stage_id and asks.kind = 'attributes'
      where own.id = ${itemId})
      or (position('#' in i.target) > 0 and exists (
        select 1 from ${items} own join ${stages} asks on asks.id = own.stage_id and asks.kind = 'object-mask'
        where own.id = ${itemId})))
    order by i.id for no key update of i`);
  const [held] = await tx
    .select({ item: items, stageKind: stages.kind, label: labels })
    .from(items)
    .innerJoin(labels, eq(labels.itemId, items.id))
    .innerJoin(stages, eq(stages.id, items.stageId))
    .where(eq(labels.id, labelId));
  if (!held) throw notFound('label');
  return held;
}

/** Refuses to decide again what was decided, and says who did it. */
export async function requireUnreviewed(tx: Transaction, { label }: LockedLabel): Promise<void> {
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

/** People are measured by gold: a label that is also gold is changed where gold is written, or both would differ. */
export async function requireNoGold(tx: Transaction, { item }: LockedLabel): Promise<void> {
  const [found] = await tx
    .select({ id: gold.id })
    .from(gold)
    .where(and(eq(gold.itemId, item.id), eq(gold.state, 'active')));
  if (found)
    throw conflict('This item is gold, and people are measured by it: change or exclude the gold first.');
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

/** Takes a label out of the queue, or puts it back. One that was not rated is rated by its confidence, unless it is imported. */
export async function markReviewed(
  tx: Transaction,
  { label, item }: LockedLabel,
  isReviewed: boolean,
): Promise<void> {
  const risk = Math.min(0.98, Math.max(0.002, 1 - label.confidence));
  await tx
    .insert(labelRisks)
    .values({
      labelId: label.id,
      projectId: label.projectId,
      stageId: item.stageId,
      risk: label.source === 'import' ? null : risk,
      rank: label.source === 'import' ? -1 : risk,
      reviewedAt: isReviewed ? sql`now()` : null,
    })
    .onConflictDoUpdate({
      target: labelRisks.labelId,
      set: { reviewedAt: isReviewed ? sql`now()` : null },
    });
}
