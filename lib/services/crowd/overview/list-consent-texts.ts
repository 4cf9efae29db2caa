import { desc, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { consentTexts, users } = tables;

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
