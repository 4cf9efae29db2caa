import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
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
  /** Hides what workers did and what names them, for readers without access to worker identities. */
  withoutPeople?: boolean;
}

/** Selects entries of `audit_log` that no worker caused and that concern no worker. */
const namesNobody = sql`verb !~ '^(appeal|bonus|consent|invitation|membership|payee|payout|recruitment|work|worker)[.]'
  and subject <> 'user' and not exists (
    select 1 from ${tables.memberships} m
    where m.project_id = audit_log.project_id and m.user_id = audit_log.actor_id and m.role = 'worker')`;

const matching = ({
  projectId,
  actor,
  verb,
  subject,
  from,
  until,
  withoutPeople,
}: AuditFilter): SQL | undefined =>
  and(
    projectId ? eq(auditLog.projectId, projectId) : undefined,
    actor ? eq(auditLog.actor, actor) : undefined,
    verb ? eq(auditLog.verb, verb) : undefined,
    subject ? eq(auditLog.subject, subject) : undefined,
    from ? gte(auditLog.createdAt, from) : undefined,
    until ? lt(auditLog.createdAt, until) : undefined,
    withoutPeople ? namesNobody : undefined,
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

/** Streams all matching entries, newest first, with one page in memory at a time. */
export async function* allAudit(db: Db, filter: AuditFilter): AsyncGenerator<AuditRow> {
  let before: string | undefined;
  do {
    const rows = await listAudit(db, { ...filter, before, limit: PAGE });
    yield* rows;
    before = rows.length === PAGE ? rows.at(-1)?.id : undefined;
  } while (before);
}

/** The newest entries that are looked through for what there is to choose from. */
const NEWEST = 10_000;

export type AuditWords = { actors: string[]; verbs: string[]; subjects: string[] };

/** Who acted, what was done and to what, in the newest entries of a project. One statement. */
export async function auditWords(
  db: Db,
  projectId: string,
  { withoutPeople = false } = {},
): Promise<AuditWords> {
  const found = await db.execute<AuditWords>(sql`
    with newest as (
      select actor, verb, subject from ${auditLog} where project_id = ${projectId}
        and ${withoutPeople ? namesNobody : sql`true`}
      order by id desc limit ${NEWEST})
    select array(select distinct actor from newest order by 1) as actors,
      array(select distinct verb from newest order by 1) as verbs,
      array(select distinct subject from newest order by 1) as subjects`);
  return found.rows[0] ?? { actors: [], verbs: [], subjects: [] };
}
