import { desc, eq, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { consents, consentTexts, memberships, users } = tables;

interface ConsentCounts {
  /** To the newest text. */
  agreed: number;
  /** To an older one: they are asked before their next batch. */
  outdated: number;
  withdrawn: number;
  missing: number;
}

/** How the workers of a project stand to its newest consent text. */
export async function consentCounts(db: Db, projectId: string): Promise<ConsentCounts> {
  const result = await db.execute<{ [Key in keyof ConsentCounts]: number }>(sql`
    with last as (
      select distinct on (worker_id) worker_id, kind, consent_text_id from ${consents}
      where project_id = ${projectId} order by worker_id, id desc),
    newest as (select id from ${consentTexts} where project_id = ${projectId} order by number desc limit 1)
    select (count(*) filter (where kind = 'agreed' and consent_text_id = newest.id))::int as agreed,
      (count(*) filter (where kind = 'agreed' and consent_text_id is distinct from newest.id))::int as outdated,
      (count(*) filter (where kind = 'withdrawn'))::int as withdrawn,
      (count(*) filter (where kind is null))::int as missing
    from ${memberships} m left join last on last.worker_id = m.user_id left join newest on true
    where m.project_id = ${projectId} and m.role = 'worker'`);
  return result.rows[0] ?? { agreed: 0, outdated: 0, withdrawn: 0, missing: 0 };
}

/** The consent texts of a project, newest first, without their words. */
export async function listConsentTexts(db: Db, projectId: string, limit = 20) {
  return db
    .select({ id: consentTexts.id, number: consentTexts.number, by: users.name, at: consentTexts.createdAt })
    .from(consentTexts)
    .leftJoin(users, eq(users.id, consentTexts.createdBy))
    .where(eq(consentTexts.projectId, projectId))
    .orderBy(desc(consentTexts.number))
    .limit(limit);
}
