import { sql } from 'drizzle-orm';
import { type Database, type Db, newId, tables } from '@/db';
import { conflict, invalid, notFound } from '@/lib/core/errors';
import { auditSize, type Confidence, LARGEST_SAMPLE } from '@/lib/core/quality/audit-sample';
import { type Actor, actorId, authorise } from '@/lib/services/access';
import { record } from '@/lib/services/activity';

const { auditPicks, audits, items, labels, stages } = tables;

export type NewAudit = {
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

export type Population = { projectId: string; stageId: string | null };

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
