import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { namesNobody } from './list-audit';

const { auditLog } = tables;

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
