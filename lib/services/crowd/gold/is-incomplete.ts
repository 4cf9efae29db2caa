import { sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';

/**
 * A change of the schema found that a gold item says too little, and nobody has written it anew since: it would judge
 * people by something that its author was never asked.
 */
export async function isIncomplete(tx: Transaction, goldId: string): Promise<boolean> {
  const found = await tx.execute<{ isIncomplete: boolean }>(sql`
    select verdict = 'candidate' as "isIncomplete" from ${tables.decisions}
    where subject = 'gold' and subject_id = ${goldId}
      and (verdict in ('written', 'rewritten') or (verdict = 'candidate' and rule = 'schema-change'))
    order by id desc limit 1`);
  return found.rows[0]?.isIncomplete ?? false;
}
