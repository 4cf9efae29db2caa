import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { isSetAside } from '@/lib/services/crowd/work/is-set-aside';

const { answers, batches, checks, leases, users } = tables;

export type CountedAnswer = {
  id: string;
  itemId: string;
  workerId: string;
  worker: string;
  value: AnswerValue;
  mask: string | null;
  at: string;
};

/**
 * The answers that stand behind the labels of items: of batches that are over, neither checks nor set aside nor
 * late and not settled yet. Of a drawing the masks are enough, and its shapes, which may be long, stay behind.
 */
export async function countedAnswers(db: Db, itemIds: readonly string[]): Promise<CountedAnswer[]> {
  const found = await db.execute<CountedAnswer>(sql`
    select a.id, a.item_id as "itemId", a.worker_id as "workerId", u.name as worker, a.mask, a.created_at as at,
      case when a.mask is null then a.value else jsonb_strip_nulls(jsonb_build_object('kind', 'mask',
        'shapes', '[]'::jsonb, 'instances', a.value->'instances', 'flags', a.value->'flags')) end as value
    from ${answers} a
    join ${leases} l on l.id = a.lease_id
    join ${batches} b on b.id = l.batch_id and b.state <> 'leased'
    join ${users} u on u.id = a.worker_id
    where a.item_id = any (${sql.param(itemIds)}::uuid[]) and l.state <> 'late'
      and not exists (select 1 from ${checks} c where c.lease_id = l.id)
      and not ${isSetAside}
    order by a.created_at, a.id`);
  return found.rows;
}
