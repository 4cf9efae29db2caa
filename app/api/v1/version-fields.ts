import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, tables } from '@/db';
import { Statements } from '@/lib/core/croissant';
import { Card } from '@/lib/services/datasets/freeze/card';
import type { VersionSummary } from '@/lib/services/datasets/versions/list-versions';
import { id, moment } from '../_http/fields';

export const Version = z.object({
  id,
  number: z.number().int(),
  hash: z.string(),
  description: z.string(),
  licence: z.string(),
  images: z.number().int(),
  labels: z.number().int(),
  card: Card,
  statements: Statements,
  tags: z.array(z.string()),
  supersededBy: z.number().int().nullable(),
  exports: z.number().int(),
  runs: z.number().int(),
  by: z.string().nullable(),
  at: moment,
}) satisfies z.ZodType<Omit<VersionSummary, 'at'>>;

/** The project through which a version is authorised. */
export async function projectOfVersion(
  db: Db,
  { version }: { version: string },
): Promise<string | undefined> {
  const [row] = await db
    .select({ projectId: tables.versions.projectId })
    .from(tables.versions)
    .where(eq(tables.versions.id, version));
  return row?.projectId;
}

/** The project through which an export is authorised. */
export async function projectOfExport(
  db: Db,
  { export: exportId }: { export: string },
): Promise<string | undefined> {
  const [row] = await db
    .select({ projectId: tables.versions.projectId })
    .from(tables.exports)
    .innerJoin(tables.versions, eq(tables.versions.id, tables.exports.versionId))
    .where(eq(tables.exports.id, exportId));
  return row?.projectId;
}
