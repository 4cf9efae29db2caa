import { and, desc, eq, gte, lt, type SQL } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { auditLog } = tables;

export interface AuditFilter {
  projectId?: string;
  /** The name under which somebody or something acted, as it was written down. */
  actor?: string;
  verb?: string;
  subject?: string;
  /** Since this moment, and before that one. */
  from?: Date;
  until?: Date;
}

const matching = ({ projectId, actor, verb, subject, from, until }: AuditFilter): SQL | undefined =>
  and(
    projectId ? eq(auditLog.projectId, projectId) : undefined,
    actor ? eq(auditLog.actor, actor) : undefined,
    verb ? eq(auditLog.verb, verb) : undefined,
    subject ? eq(auditLog.subject, subject) : undefined,
    from ? gte(auditLog.createdAt, from) : undefined,
    until ? lt(auditLog.createdAt, until) : undefined,
  );

/** Newest first; `before` is the id of the last row of the page before. */
export async function listAudit(db: Db, options: AuditFilter & { before?: string; limit: number }) {
  return db
    .select()
    .from(auditLog)
    .where(and(matching(options), options.before ? lt(auditLog.id, options.before) : undefined))
    .orderBy(desc(auditLog.id))
    .limit(options.limit);
}

export type AuditRow = Awaited<ReturnType<typeof listAudit>>[number];

const PAGE = 1000;

/** Everything that matches, newest first, a page in memory at a time. */
export async function* allAudit(db: Db, filter: AuditFilter): AsyncGenerator<AuditRow> {
  let before: string | undefined;
  do {
    const rows = await listAudit(db, { ...filter, before, limit: PAGE });
    yield* rows;
    before = rows.length === PAGE ? rows.at(-1)?.id : undefined;
  } while (before);
}
