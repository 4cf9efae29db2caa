import { sql } from 'drizzle-orm';
import type { Database } from '@/db';
import { rules } from './rules';

export interface Outcome {
  name: string;
  statement: string;
  /** Number of violations, with the first ones. */
  violations: number;
  examples: string[];
}

const EXAMPLES = 3;

/** Checks every rule in one snapshot, so that concurrent changes are visible to all rules or to none. */
export async function checkRules(db: Database): Promise<Outcome[]> {
  return db.transaction(
    async (tx) => {
      const outcomes: Outcome[] = [];
      for (const { name, statement, offenders } of rules) {
        // Avoid indexes, which a crash could have damaged.
        await tx.execute(sql`set local enable_indexonlyscan = off`);
        const { rows } = await tx.execute<{ n: number; examples: string[] }>(sql`
          select count(*)::int as n, coalesce((array_agg(id::text))[1:${sql.raw(String(EXAMPLES))}], '{}') as examples
          from (${offenders}) as offending`);
        outcomes.push({ name, statement, violations: rows[0]?.n ?? 0, examples: rows[0]?.examples ?? [] });
      }
      return outcomes;
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}
