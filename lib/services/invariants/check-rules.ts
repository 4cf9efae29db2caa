import { sql } from 'drizzle-orm';
import type { Database } from '@/db';
import { rules } from './rules';

export interface Outcome {
  name: string;
  says: string;
  /** How many offend against it, and the first of them. */
  violations: number;
  examples: string[];
}

const EXAMPLES = 3;

/** Asks every rule in one snapshot, so that a batch that closes meanwhile is seen by all of them or by none. */
export async function checkRules(db: Database): Promise<Outcome[]> {
  return db.transaction(
    async (tx) => {
      const outcomes: Outcome[] = [];
      for (const { name, says, offenders } of rules) {
        // An index that a crash has damaged must not hide what it is to prove.
        await tx.execute(sql`set local enable_indexonlyscan = off`);
        const { rows } = await tx.execute<{ n: number; examples: string[] }>(sql`
          select count(*)::int as n, coalesce((array_agg(id::text))[1:${sql.raw(String(EXAMPLES))}], '{}') as examples
          from (${offenders}) as offending`);
        outcomes.push({ name, says, violations: rows[0]?.n ?? 0, examples: rows[0]?.examples ?? [] });
      }
      return outcomes;
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}
