import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type Database, type Db, newId, type Transaction, tables } from '@/db';
import { conflict, invalid, notFound } from '@/lib/core/errors';
import {
  auditedRate,
  auditSize,
  type Confidence,
  confidences,
  LARGEST_SAMPLE,
} from '@/lib/core/quality/audit-sample';
import type { Share } from '@/lib/core/quality/interval';
import { type Actor, actorId, authorise } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { rateSoon } from '@/lib/services/jobs/enqueue';

const { auditPicks, audits, decisions, items, labels, stages, users } = tables;

type Judgement = {
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
    const { audit, pick, stageId } = await lockPick(tx, input);
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
      await recordJudgement(tx, actor, input, stageId);
    }
    return getAudit(tx, input);
  });
}

async function lockPick(tx: Transaction, { projectId, auditId, labelId }: Judgement) {
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

async function recordJudgement(
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
    // Imported labels get their risk from what the sample found.
    if (closed) await rateSoon(tx, { projectId: input.projectId, all: true });
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

type NewAudit = {
  projectId: string;
  /** Made by the client: the same id is the same audit. */
  auditId: string;
  /** One stage, or every label of the project. */
  stageId: string | null;
  /** Half of the width of the interval that is wanted, 0 to 1. */
  margin: number;
  confidence: Confidence;
  /** What the error rate is about; one half where nobody knows, which asks for the most. */
  expected: number;
  /** Who has the seed can draw the same sample from the same labels. */
  seed: string;
};

/** Draws a simple random sample of the current labels, in an order that says nothing about them. */
export async function drawAudit(
  db: Database,
  actor: Actor,
  input: NewAudit,
): Promise<{ id: string; size: number }> {
  await authorise(db, actor, 'audit.decide', { project: input.projectId });
  const { projectId, auditId, stageId, margin, confidence, expected, seed } = input;
  return db.transaction(async (tx) => {
    if (stageId) await requireStage(tx, projectId, stageId);
    const population = await countPopulation(tx, { projectId, stageId });
    if (population === 0) throw conflict('There are no labels to audit yet.');
    const size = auditSize(population, margin, expected, confidence);
    const [made] = await tx
      .insert(audits)
      .values({
        id: auditId,
        projectId,
        stageId,
        seed,
        population,
        size,
        margin,
        confidence,
        createdBy: actorId(actor),
      })
      .onConflictDoNothing()
      .returning({ id: audits.id });
    if (!made) return sameAudit(tx, projectId, auditId);
    if (size > LARGEST_SAMPLE) {
      throw invalid(
        `That asks for ${size.toLocaleString('en')} labels; a sample has at most ${LARGEST_SAMPLE.toLocaleString('en')}. Choose a wider margin or less confidence.`,
      );
    }
    // The hash of a label's id with the seed is as good as a number drawn for it, and can be drawn again.
    await tx.execute(sql`
      insert into ${auditPicks} (audit_id, position, label_id)
      select ${auditId}::uuid, (row_number() over (order by md5(${seed}::text || l.id::text), l.id))::int - 1, l.id
      from ${labels} l join ${items} i on i.id = l.item_id
      where ${inPopulation({ projectId, stageId })}
      order by md5(${seed}::text || l.id::text), l.id limit ${size}`);
    await record(tx, {
      actor,
      verb: 'audit.draw',
      subject: 'audit',
      subjectId: auditId,
      projectId,
      detail: { stageId, population, size, margin, confidence, seed },
    });
    return { id: auditId, size };
  });
}

type Population = { projectId: string; stageId: string | null };

const inPopulation = ({ projectId, stageId }: Population) =>
  sql`l.project_id = ${projectId} and l.is_current and (${stageId}::uuid is null or i.stage_id = ${stageId}::uuid)`;

async function countPopulation(db: Db, of: Population): Promise<number> {
  const found = await db.execute<{ n: number }>(sql`
    select count(*)::int as n from ${labels} l join ${items} i on i.id = l.item_id where ${inPopulation(of)}`);
  return found.rows[0]?.n ?? 0;
}

/** Current labels by stage, for the form that says how many of them have to be looked at. */
export async function populations(
  db: Db,
  projectId: string,
): Promise<{ id: string; name: string; labels: number }[]> {
  const found = await db.execute<{ id: string; name: string; labels: number }>(sql`
    select s.id, s.name, count(l.id)::int as labels
    from ${stages} s
    left join ${items} i on i.stage_id = s.id
    left join ${labels} l on l.item_id = i.id and l.is_current
    where s.project_id = ${projectId} group by s.id order by s.position`);
  return found.rows;
}

async function requireStage(db: Db, projectId: string, stageId: string): Promise<void> {
  const found = await db.execute(
    sql`select 1 from ${stages} where id = ${stageId} and project_id = ${projectId}`,
  );
  if (found.rows.length === 0) throw notFound('stage');
}

async function sameAudit(db: Db, projectId: string, auditId: string) {
  const found = await db.execute<{ id: string; size: number }>(sql`
    select id, size from ${audits} where id = ${auditId} and project_id = ${projectId}`);
  const [audit] = found.rows;
  if (!audit) throw conflict('This audit id is used elsewhere: make a new one.');
  return audit;
}

/** Eight letters and digits: short enough to be written down. */
export const newSeed = (): string => newId().replaceAll('-', '').slice(-8);

type AuditRow = {
  id: string;
  stageId: string | null;
  /** Null: all stages. */
  stage: string | null;
  seed: string;
  population: number;
  size: number;
  margin: number;
  confidence: Confidence;
  state: 'open' | 'closed';
  by: string | null;
  at: Date;
  closedAt: Date | null;
  judged: number;
  wrong: number;
  /** The share of wrong labels in the population, from what was judged so far; null before the first. */
  rate: Share | null;
};

type Row = Omit<AuditRow, 'rate' | 'at' | 'closedAt'> & { at: string; closedAt: string | null };

/** The sampled audits of a project, newest first. One statement. */
export async function listAudits(db: Db, projectId: string, limit = 200): Promise<AuditRow[]> {
  return read(db, sql`a.project_id = ${projectId} order by a.id desc limit ${limit}`);
}

export async function getAudit(db: Db, input: { projectId: string; auditId: string }): Promise<AuditRow> {
  const [audit] = await read(db, sql`a.project_id = ${input.projectId} and a.id = ${input.auditId}`);
  if (!audit) throw notFound('audit');
  return audit;
}

async function read(db: Db, which: SQL): Promise<AuditRow[]> {
  const found = await db.execute<Row>(sql`
    select a.id, a.stage_id as "stageId", s.name as stage, a.seed, a.population, a.size, a.margin,
      a.confidence, a.state, u.name as by, a.created_at as at, a.closed_at as "closedAt",
      k.judged, k.wrong
    from ${audits} a
    left join ${stages} s on s.id = a.stage_id
    left join ${users} u on u.id = a.created_by
    cross join lateral (
      select count(verdict)::int as judged, (count(*) filter (where verdict = 'wrong'))::int as wrong
      from ${auditPicks} where audit_id = a.id) k
    where ${which}`);
  return found.rows.map((row) => {
    const confidence = confidences.find((each) => Math.abs(each - row.confidence) < 1e-4) ?? 0.95;
    return {
      ...row,
      // A real comes back with its own rounding.
      margin: Number(row.margin.toFixed(4)),
      confidence,
      at: new Date(row.at),
      closedAt: row.closedAt ? new Date(row.closedAt) : null,
      rate: auditedRate(row.wrong, row.judged, row.population, confidence),
    };
  });
}

type Pick = { position: number; labelId: string; verdict: 'right' | 'wrong' | null };

/** The labels of an audit in the order in which they are judged. */
export async function listPicks(db: Db, auditId: string): Promise<Pick[]> {
  const found = await db.execute<Pick>(sql`
    select position, label_id as "labelId", verdict from ${auditPicks} where audit_id = ${auditId} order by position`);
  return found.rows;
}
