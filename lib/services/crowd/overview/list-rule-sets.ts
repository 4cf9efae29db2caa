import { desc, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { ruleSets, users } = tables;

/** The rule sets of a project, newest first; none means that Tessera's own rules are in force, as number 0. */
export async function listRuleSets(db: Db, projectId: string, limit = 20) {
  return db
    .select({
      number: ruleSets.number,
      rules: ruleSets.rules,
      by: users.name,
      at: ruleSets.createdAt,
    })
    .from(ruleSets)
    .leftJoin(users, eq(users.id, ruleSets.createdBy))
    .where(eq(ruleSets.projectId, projectId))
    .orderBy(desc(ruleSets.number))
    .limit(limit);
}
