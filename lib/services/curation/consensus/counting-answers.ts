import { type SQL, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { isSetAside } from '@/lib/services/crowd/work/is-set-aside';

const { answers, batches, checks, leases } = tables;

export type CountingAnswer = {
  id: string;
  itemId: string;
  workerId: string;
  /** Of a drawing only its kind: the shapes are many, and the mask says what they come to. */
  value: AnswerValue | { kind: 'mask' };
  mask: string | null;
};

/** Of an answer `a`, its lease `l` and its batch `b`: handed in and settled, of ordinary work, and not set aside. */
export const counts: SQL = sql`b.state <> 'leased' and l.state <> 'late'
  and not exists (select 1 from ${checks} c where c.lease_id = l.id)
  and not ${isSetAside}`;

/** The answers to these items that count, in the order in which they came. One statement. */
export async function countingAnswers(db: Db, itemIds: readonly string[]): Promise<CountingAnswer[]> {
  if (itemIds.length === 0) return [];
  const found = await db.execute<CountingAnswer>(sql`
    select a.id, a.item_id as "itemId", a.worker_id as "workerId", a.mask,
      case when a.mask is null then a.value else '{"kind":"mask"}'::jsonb end as value
    from ${answers} a join ${leases} l on l.id = a.lease_id join ${batches} b on b.id = l.batch_id
    where a.item_id = any (${sql.param(itemIds)}::uuid[]) and ${counts}
    order by a.created_at, a.id`);
  return found.rows;
}
