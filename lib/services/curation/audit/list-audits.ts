import { type SQL, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { auditedRate, type Confidence, confidences } from '@/lib/core/quality/audit-sample';
import type { Share } from '@/lib/core/quality/interval';

const { auditPicks, audits, stages, users } = tables;

export type AuditRow = {
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

export type Pick = { position: number; labelId: string; verdict: 'right' | 'wrong' | null };

/** The labels of an audit in the order in which they are judged. */
export async function listPicks(db: Db, auditId: string): Promise<Pick[]> {
  const found = await db.execute<Pick>(sql`
    select position, label_id as "labelId", verdict from ${auditPicks} where audit_id = ${auditId} order by position`);
  return found.rows;
}
