import { and, desc, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';

const { schemaVersions, users } = tables;

/** Every version of a project's schema, the newest first. The caller has authorised it. */
export const listVersions = (db: Db, projectId: string) =>
  db
    .select({
      number: schemaVersions.number,
      createdAt: schemaVersions.createdAt,
      by: users.name,
      document: schemaVersions.document,
    })
    .from(schemaVersions)
    .leftJoin(users, eq(users.id, schemaVersions.createdBy))
    .where(eq(schemaVersions.projectId, projectId))
    .orderBy(desc(schemaVersions.number));

export type ListedVersion = Awaited<ReturnType<typeof listVersions>>[number];

/** One version by its number; the newest without one. */
export async function getVersion(db: Db, projectId: string, number?: number) {
  const [found] = await db
    .select()
    .from(schemaVersions)
    .where(
      and(
        eq(schemaVersions.projectId, projectId),
        number === undefined ? undefined : eq(schemaVersions.number, number),
      ),
    )
    .orderBy(desc(schemaVersions.number))
    .limit(1);
  if (!found) throw notFound('version of the schema');
  return found;
}
