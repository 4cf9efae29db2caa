import { and, asc, count, eq, ne } from 'drizzle-orm';
import { type Db, newId, tables } from '@/db';
import { type Actor, actorId } from '@/lib/core/actor';
import { conflict, notFound } from '@/lib/core/errors';
import { Mapping } from '@/lib/core/formats/mapping';

const { importMappings } = tables;

export interface SavedMapping {
  id: string;
  name: string;
  mapping: Mapping;
  createdAt: Date;
}

const MAX_MAPPINGS = 100;

/** The saved mappings of a project, by name. Those of an older version that are no longer valid are left out. */
export async function listMappings(db: Db, projectId: string): Promise<SavedMapping[]> {
  const rows = await db
    .select()
    .from(importMappings)
    .where(eq(importMappings.projectId, projectId))
    .orderBy(asc(importMappings.name))
    .limit(MAX_MAPPINGS);
  return rows.flatMap(({ id, name, document, createdAt }) => {
    const parsed = Mapping.safeParse(document);
    return parsed.success ? [{ id, name, mapping: parsed.data, createdAt }] : [];
  });
}

/** Saves a mapping; one of the same name is replaced. */
export async function saveMapping(
  db: Db,
  actor: Actor,
  { projectId, name, mapping }: { projectId: string; name: string; mapping: Mapping },
): Promise<SavedMapping> {
  const [others] = await db
    .select({ n: count() })
    .from(importMappings)
    .where(and(eq(importMappings.projectId, projectId), ne(importMappings.name, name)));
  if ((others?.n ?? 0) >= MAX_MAPPINGS)
    throw conflict(`The project has ${MAX_MAPPINGS} saved mappings, the maximum. Delete one first.`);
  const [row] = await db
    .insert(importMappings)
    .values({ id: newId(), projectId, name, document: mapping, createdBy: actorId(actor) })
    .onConflictDoUpdate({
      target: [importMappings.projectId, importMappings.name],
      set: { document: mapping },
    })
    .returning();
  if (!row) throw new Error('The mapping was not saved.');
  return { id: row.id, name, mapping, createdAt: row.createdAt };
}

export async function deleteMapping(db: Db, input: { projectId: string; id: string }): Promise<void> {
  const gone = await db
    .delete(importMappings)
    .where(and(eq(importMappings.projectId, input.projectId), eq(importMappings.id, input.id)))
    .returning({ id: importMappings.id });
  if (gone.length === 0) throw notFound('saved mapping');
}
