import { sql } from 'drizzle-orm';
import type { Database } from '@/db';
import { blobReferences } from './references';

/**
 * Whether any row calls for a blob. One that is called for has its file; one that is not may have lost its writer
 * between the row and the file, and is the collector's.
 */
export async function isReferenced(db: Pick<Database, 'execute'>, sha256: string): Promise<boolean> {
  const uses = blobReferences.map(
    ({ table, column }) => sql`exists (select 1 from ${table} where ${column} = ${sha256})`,
  );
  const { rows } = await db.execute<{ is: boolean }>(sql`select ${sql.join(uses, sql` or `)} as is`);
  return rows[0]?.is === true;
}
