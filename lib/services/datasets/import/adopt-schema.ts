import { and, eq, notInArray, sql } from 'drizzle-orm';
import { type Database, newId, type Transaction, tables } from '@/db';
import { type Author, actorId } from '@/lib/core/actor';
import { conflict } from '@/lib/core/errors';
import type { DatasetSchema } from '@/lib/core/schema';
import { record } from '@/lib/services/activity';
import { defaultStages } from '@/lib/services/projects/default-stages';
import { readSchema } from '@/lib/services/projects/schema';

const { images, projects, schemaVersions, stages } = tables;

export interface Adopted {
  schema: DatasetSchema;
  versionId: string;
  /** The project adopted the source's schema. */
  isNew: boolean;
  /** Name of the replaced draft schema. */
  replaced: string | null;
}

/**
 * Chooses the schema for an import. A draft without images adopts the source's schema if its own lacks an entry. Every
 * other project keeps its schema.
 */
export async function adoptSchema(
  db: Database,
  author: Author,
  input: { projectId: string; source: DatasetSchema; mayAdopt: boolean },
): Promise<Adopted> {
  const { projectId, source, mayAdopt } = input;
  return db.transaction(async (tx) => {
    await tx
      .select({ id: projects.id })
      .from(projects)
      .where(eq(projects.id, projectId))
      .for('no key update');
    const [current] = await tx
      .select({
        state: projects.state,
        number: schemaVersions.number,
        versionId: schemaVersions.id,
        document: schemaVersions.document,
        hasImages: sql<boolean>`exists (select 1 from ${images} where ${images.projectId} = ${projectId} and ${images.state} <> 'derived')`,
      })
      .from(projects)
      .leftJoin(schemaVersions, eq(schemaVersions.id, projects.schemaVersionId))
      .where(eq(projects.id, projectId));
    const { versionId, document, number } = current ?? {};
    const isEmptyDraft = current?.state === 'draft' && !current.hasImages && mayAdopt;
    if (versionId && document && (!isEmptyDraft || covers(document, source)))
      return { schema: document, versionId, isNew: false, replaced: null };
    if (!mayAdopt)
      throw conflict(
        'The project has no schema, and you are not allowed to adopt the schema of the dataset. Ask a curator to save a schema first, or use a key with the scope "projects:write".',
      );
    const schema = readSchema(source);
    const given = await replaceSchema(tx, author, projectId, schema, (number ?? 0) + 1);
    return { schema, versionId: given, isNew: true, replaced: document?.name ?? null };
  });
}

/** Replaces the schema of an unused draft and removes stages that the new schema does not need. */
async function replaceSchema(
  tx: Transaction,
  author: Author,
  projectId: string,
  schema: DatasetSchema,
  number: number,
): Promise<string> {
  const id = newId();
  const createdBy = actorId(author);
  await tx.insert(schemaVersions).values({ id, projectId, number, document: schema, createdBy });
  await tx
    .update(projects)
    .set({ schemaVersionId: id, updatedAt: sql`now()` })
    .where(eq(projects.id, projectId));
  const wanted = defaultStages(schema);
  const kinds = wanted.map(({ kind }) => kind);
  await tx.delete(stages).where(and(eq(stages.projectId, projectId), notInArray(stages.kind, kinds)));
  const there = await tx.select({ kind: stages.kind }).from(stages).where(eq(stages.projectId, projectId));
  const missing = wanted.filter(({ kind }) => !there.some((stage) => stage.kind === kind));
  if (missing.length > 0)
    await tx
      .insert(stages)
      .values(missing.map((stage) => ({ ...stage, projectId, position: wanted.indexOf(stage) })));
  const detail = { number, imported: schema.name };
  await record(tx, {
    actor: author,
    verb: 'schema.save',
    subject: 'schema',
    subjectId: id,
    projectId,
    detail,
  });
  return id;
}

/** Whether the first schema contains every entry of the second. */
function covers(schema: DatasetSchema, source: DatasetSchema): boolean {
  const has = (field: 'classes' | 'parts' | 'attributes') => {
    const ids = new Set(schema[field].map(({ id }) => id));
    return source[field].every(({ id }) => ids.has(id));
  };
  return has('classes') && has('parts') && has('attributes');
}
