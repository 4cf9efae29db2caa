import { and, eq, sql } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import { conflict, notFound } from '@/lib/core/errors';
import { type Actor, actorId, authorise } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { type AuditRow, getAudit } from './list-audits';

const { auditPicks, audits, decisions, items, labels } = tables;

export type Judgement = {
  projectId: string;
  auditId: string;
  labelId: string;
  /** Null takes the judgement back. */
  verdict: 'right' | 'wrong' | null;
};

/** A curator says whether a label of the sample is right. The same again changes nothing; the label stays as it is. */
export async function judgePick(db: Database, actor: Actor, input: Judgement): Promise<AuditRow> {
  await authorise(db, actor, 'audit.decide', { project: input.projectId });
  return db.transaction(async (tx) => {
    const { audit, pick, stageId } = await hold(tx, input);
    if (audit.state === 'closed')
      throw conflict('This audit is closed: its rate stands. Draw a new sample to go on.');
    if (pick.verdict !== input.verdict) {
      await tx
        .update(auditPicks)
        .set({
          verdict: input.verdict,
          decidedBy: input.verdict ? actorId(actor) : null,
          decidedAt: input.verdict ? sql`now()` : null,
        })
        .where(and(eq(auditPicks.auditId, input.auditId), eq(auditPicks.labelId, input.labelId)));
      await writeDown(tx, actor, input, stageId);
    }
    return getAudit(tx, input);
  });
}

async function hold(tx: Transaction, { projectId, auditId, labelId }: Judgement) {
  const [found] = await tx
    .select({ stageId: items.stageId })
    .from(auditPicks)
    .innerJoin(audits, eq(audits.id, auditPicks.auditId))
    .innerJoin(labels, eq(labels.id, auditPicks.labelId))
    .innerJoin(items, eq(items.id, labels.itemId))
    .where(and(eq(audits.id, auditId), eq(audits.projectId, projectId), eq(auditPicks.labelId, labelId)))
    .for('no key update', { of: audits });
  if (!found) throw notFound('label in this audit');
  // Read again: while we waited for the audit, somebody's judgement may have come before this one.
  const [pick] = await tx
    .select()
    .from(auditPicks)
    .where(and(eq(auditPicks.auditId, auditId), eq(auditPicks.labelId, labelId)));
  const [audit] = await tx.select().from(audits).where(eq(audits.id, auditId));
  if (!pick || !audit) throw notFound('label in this audit');
  return { audit, pick, stageId: found.stageId };
}

async function writeDown(
  tx: Transaction,
  actor: Actor,
  { projectId, auditId, labelId, verdict }: Judgement,
  stageId: string,
): Promise<void> {
  const said = verdict ? `audit-${verdict}` : 'audit-undone';
  await tx.insert(decisions).values({
    projectId,
    subject: 'label',
    subjectId: labelId,
    stageId,
    verdict: said,
    reason: verdict
      ? `Found ${verdict} in a sampled audit.`
      : 'The judgement in a sampled audit was taken back.',
    evidence: [auditId],
    decidedBy: actorId(actor),
  });
  await record(tx, {
    actor,
    verb: `label.${said}`,
    subject: 'label',
    subjectId: labelId,
    projectId,
    detail: { auditId },
  });
}

/** Ends an audit: its rate stands from now on. */
export async function closeAudit(
  db: Database,
  actor: Actor,
  input: { projectId: string; auditId: string },
): Promise<AuditRow> {
  await authorise(db, actor, 'audit.decide', { project: input.projectId });
  return db.transaction(async (tx) => {
    const [closed] = await tx
      .update(audits)
      .set({ state: 'closed', closedAt: sql`now()` })
      .where(
        and(eq(audits.id, input.auditId), eq(audits.projectId, input.projectId), eq(audits.state, 'open')),
      )
      .returning({ id: audits.id });
    const audit = await getAudit(tx, input);
    if (closed)
      await record(tx, {
        actor,
        verb: 'audit.close',
        subject: 'audit',
        subjectId: input.auditId,
        projectId: input.projectId,
        detail: { judged: audit.judged, wrong: audit.wrong },
      });
    return audit;
  });
}
