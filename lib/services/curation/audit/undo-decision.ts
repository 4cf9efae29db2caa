import { and, eq, sql } from 'drizzle-orm';
import { type Database, newId, type Transaction, tables } from '@/db';
import { conflict, notFound } from '@/lib/core/errors';
import { type Actor, actorId, authorise } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { followForms } from '@/lib/services/crowd/work/follow-forms';
import { followObjects } from '@/lib/services/crowd/work/follow-objects';
import { restoreForm } from './correct-label';
import { countedAnswers } from './counted-answers';
import { type LockedLabel, lastDecision, lockLabel, markReviewed } from './lock-label';

const { answers, decisions, items, labels, schemaVersions } = tables;

type Decision = typeof decisions.$inferSelect;

/**
 * Takes the newest decision about a label back: the label is current again and waits in the queue. The decision
 * itself stays, with another after it. Refused once somebody has gone on from what was decided.
 */
export async function undoDecision(
  db: Database,
  actor: Actor,
  { projectId, decisionId }: { projectId: string; decisionId: string },
): Promise<{ labelId: string }> {
  await authorise(db, actor, 'audit.decide', { project: projectId });
  return db.transaction(async (tx) => {
    const decision = await find(tx, projectId, decisionId);
    const held = await lockLabel(tx, { projectId, labelId: decision.subjectId });
    const last = await lastDecision(tx, decision.subjectId);
    if (last?.verdict === 'undone' && last.evidence.includes(decisionId)) return { labelId: held.label.id };
    if (last?.id !== decisionId)
      throw conflict(
        'Something else was decided about this label since: open it from its image to see what.',
      );
    await revert(tx, actor, held, decision);
    // What followed from the form as it was decided goes, and what followed from it before comes back.
    if (held.stageKind === 'attributes' && decision.verdict !== 'accepted')
      await followForms(tx, { projectId, formIds: [held.item.id], by: 'curator' });
    if (held.stageKind === 'object-mask' && decision.verdict !== 'accepted')
      await followObjects(tx, { projectId, itemIds: [held.item.id], by: 'curator' });
    await markReviewed(tx, held, false);
    await tx.insert(decisions).values({
      projectId,
      subject: 'label',
      subjectId: held.label.id,
      stageId: held.item.stageId,
      verdict: 'undone',
      reason: `“${decision.verdict}” was taken back.`,
      evidence: [decisionId],
      decidedBy: actorId(actor),
    });
    await record(tx, {
      actor,
      verb: 'label.undo',
      subject: 'label',
      subjectId: held.label.id,
      projectId,
      detail: { decisionId, verdict: decision.verdict },
    });
    return { labelId: held.label.id };
  });
}

async function find(tx: Transaction, projectId: string, decisionId: string): Promise<Decision> {
  const [decision] = await tx
    .select()
    .from(decisions)
    .where(
      and(eq(decisions.id, decisionId), eq(decisions.projectId, projectId), eq(decisions.subject, 'label')),
    );
  if (!decision) throw notFound('decision');
  return decision;
}

async function revert(tx: Transaction, actor: Actor, held: LockedLabel, decision: Decision): Promise<void> {
  if (decision.verdict === 'accepted') return;
  if (decision.verdict === 'corrected') return revertCorrection(tx, held, decision);
  if (decision.verdict === 'rejected' || decision.verdict === 'sent-back')
    return revertRejection(tx, actor, held, decision);
  throw conflict('A decision of this kind cannot be taken back here.');
}

async function revertCorrection(
  tx: Transaction,
  { label }: LockedLabel,
  { evidence }: Decision,
): Promise<void> {
  const [newId] = evidence;
  const ended = await tx
    .update(labels)
    .set({ isCurrent: false })
    .where(and(eq(labels.id, newId ?? label.id), eq(labels.isCurrent, true)))
    .returning({ id: labels.id });
  if (ended.length === 0) throw conflict('The corrected label was replaced since: it cannot be taken back.');
  const [corrected] = await tx
    .select()
    .from(labels)
    .where(eq(labels.id, newId ?? label.id));
  if (corrected && !(await restoreForm(tx, corrected)))
    throw conflict('The form of the picture was changed since: the correction cannot be taken back.');
  await tx.update(labels).set({ isCurrent: true }).where(eq(labels.id, label.id));
}

async function revertRejection(
  tx: Transaction,
  actor: Actor,
  held: LockedLabel,
  decision: Decision,
): Promise<void> {
  const { label, item } = held;
  // Where several are wanted, the item of somebody who has finished is open still. Their answer counts, all before it
  // were set aside.
  const isAnswered = (await countedAnswers(tx, [item.id])).length > 0;
  if (item.state !== 'open' || item.leased > 0 || isAnswered || (await hasNewLabel(tx, item.id)))
    throw conflict('Somebody has been given the item since: their answer will decide.');
  await requireSameQuestion(tx, held, decision);
  const back = await tx.execute<{ id: string }>(sql`
    select subject_id as id from ${decisions}
    where subject = 'answer' and subject_id in (select id from ${answers} where item_id = ${item.id})
      and verdict = 'set-aside' and evidence ? ${decision.id}`);
  const ids = back.rows.map((row) => row.id);
  if (ids.length > 0) {
    await tx.insert(decisions).values(
      ids.map((answerId) => ({
        id: newId(),
        projectId: label.projectId,
        subject: 'answer' as const,
        subjectId: answerId,
        stageId: item.stageId,
        verdict: 'reinstated',
        reason: 'The curator took it back: the answer counts.',
        evidence: [decision.id],
        decidedBy: actorId(actor),
      })),
    );
  }
  await tx
    .update(items)
    .set({ state: 'settled', answered: sql`${items.answered} + ${ids.length}` })
    .where(eq(items.id, item.id));
  await tx.update(labels).set({ isCurrent: true }).where(eq(labels.id, label.id));
}

/** An open form is asked by the newest schema, and what people said under an older one does not answer it. */
async function requireSameQuestion(
  tx: Transaction,
  { item, stageKind }: LockedLabel,
  { createdAt }: Decision,
): Promise<void> {
  if (stageKind !== 'attributes') return;
  const [version] = await tx
    .select({ createdAt: schemaVersions.createdAt })
    .from(schemaVersions)
    .where(eq(schemaVersions.id, item.schemaVersionId));
  if (version && version.createdAt > createdAt)
    throw conflict('The schema was changed since, and the form is asked anew: it cannot be taken back.');
}

async function hasNewLabel(tx: Transaction, itemId: string): Promise<boolean> {
  const [found] = await tx
    .select({ id: labels.id })
    .from(labels)
    .where(and(eq(labels.itemId, itemId), eq(labels.isCurrent, true)));
  return found !== undefined;
}
