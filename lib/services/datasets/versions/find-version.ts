import { and, desc, eq, like, type SQL, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { invalid, notFound } from '@/lib/core/errors';

const { versionTags, versions } = tables;

export type VersionRow = typeof versions.$inferSelect;

/** A version by what people call it: `latest`, its number, a tag, the beginning of its hash, or its id. */
export async function findVersion(
  db: Db,
  { projectId, version }: { projectId: string; version: string },
): Promise<VersionRow> {
  const rows = await db
    .select()
    .from(versions)
    .where(and(eq(versions.projectId, projectId), meant(projectId, version)))
    .orderBy(desc(versions.number))
    .limit(version === 'latest' ? 1 : 2);
  const [found] = rows;
  if (!found) throw notFound('version');
  if (rows.length > 1) throw invalid(`Several versions begin with "${version}": give more of the hash.`);
  return found;
}

function meant(projectId: string, version: string): SQL | undefined {
  if (version === 'latest') return undefined;
  if (/^v?\d{1,9}$/.test(version)) return eq(versions.number, Number(version.replace('v', '')));
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(version)) return eq(versions.id, version);
  const tagged = sql`exists (select 1 from ${versionTags} t
    where t.version_id = ${versions.id} and t.project_id = ${projectId} and t.tag = ${version})`;
  return /^[0-9a-f]{6,64}$/.test(version)
    ? sql`(${like(versions.hash, `${version}%`)} or ${tagged})`
    : tagged;
}
