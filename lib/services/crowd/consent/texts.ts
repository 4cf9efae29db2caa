import { desc, eq, sql } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { type Actor, actorId } from '@/lib/core/actor';
import { invalid, notFound } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { effectivePolicy } from '../work/effective-policy';
import { ConsentDocument } from './document';
import { consentTemplate } from './template';

const { consentTexts, projects, stages, users } = tables;

export interface ConsentText {
  id: string;
  number: number;
  document: ConsentDocument;
  createdAt: Date;
}

const asText = ({ id, number, document, createdAt }: typeof consentTexts.$inferSelect): ConsentText => ({
  id,
  number,
  document: ConsentDocument.parse(document),
  createdAt,
});

/** The text that counts now. A project from before there were such texts gets its first one here. */
export async function newestText(db: Db, projectId: string): Promise<ConsentText> {
  return (await findText(db, projectId)) ?? addFirstText(db, projectId, null);
}

async function findText(db: Db, projectId: string): Promise<ConsentText | undefined> {
  const [row] = await db
    .select()
    .from(consentTexts)
    .where(eq(consentTexts.projectId, projectId))
    .orderBy(desc(consentTexts.number))
    .limit(1);
  return row && asText(row);
}

/** Number 1, from the template. Of two who add it at once, one does. */
export async function addFirstText(db: Db, projectId: string, by: string | null): Promise<ConsentText> {
  const document = await draftText(db, projectId);
  await db
    .insert(consentTexts)
    .values({ projectId, number: 1, document, createdBy: by })
    .onConflictDoNothing();
  const text = await findText(db, projectId);
  if (!text) throw new Error('The text was just added.');
  return text;
}

/** What the template says of the project as it is now: the start of a new text. */
export async function draftText(db: Db, projectId: string): Promise<ConsentDocument> {
  const [project] = await db
    .select({
      name: projects.name,
      description: projects.description,
      policy: projects.policy,
      contact: users.email,
    })
    .from(projects)
    .leftJoin(users, eq(users.id, projects.createdBy))
    .where(eq(projects.id, projectId));
  if (!project) throw notFound('project');
  const asked = await db
    .select({ kind: stages.kind })
    .from(stages)
    .where(eq(stages.projectId, projectId))
    .orderBy(stages.position);
  return consentTemplate({
    ...project,
    stages: asked.map(({ kind }): StageKind => kind),
    policy: effectivePolicy(project.policy, {}),
  });
}

/** A changed text is a new number, and everybody is asked again before their next batch. */
export async function publishText(
  db: Database,
  actor: Actor,
  input: { projectId: string; document: unknown },
): Promise<ConsentText> {
  const parsed = ConsentDocument.safeParse(input.document);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw invalid(`${issue?.path.join('.') || 'The text'}: ${issue?.message}`);
  }
  return db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from ${projects} where id = ${input.projectId} for no key update`);
    const newest = await findText(tx, input.projectId);
    const [row] = await tx
      .insert(consentTexts)
      .values({
        projectId: input.projectId,
        number: (newest?.number ?? 0) + 1,
        document: parsed.data,
        createdBy: actorId(actor),
      })
      .returning();
    const text = asText(row as typeof consentTexts.$inferSelect);
    await record(tx, {
      actor,
      verb: 'consent.publish',
      subject: 'consent-text',
      subjectId: text.id,
      projectId: input.projectId,
      detail: { number: text.number },
    });
    return text;
  });
}
