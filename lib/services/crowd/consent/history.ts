import { and, desc, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { consents, consentTexts, projects } = tables;

/** What a person agreed to and withdrew from, newest first; in one project or in all. */
export async function consentHistory(db: Db, which: { workerId: string; projectId?: string }) {
  return db
    .select({
      id: consents.id,
      kind: consents.kind,
      at: consents.createdAt,
      number: consentTexts.number,
      textId: consentTexts.id,
      language: consents.language,
      project: { id: projects.id, slug: projects.slug, name: projects.name },
    })
    .from(consents)
    .innerJoin(consentTexts, eq(consentTexts.id, consents.consentTextId))
    .innerJoin(projects, eq(projects.id, consents.projectId))
    .where(
      and(
        eq(consents.workerId, which.workerId),
        which.projectId ? eq(consents.projectId, which.projectId) : undefined,
      ),
    )
    .orderBy(desc(consents.id));
}

export type ConsentEntry = Awaited<ReturnType<typeof consentHistory>>[number];
