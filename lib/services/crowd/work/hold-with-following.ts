import { sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';

const { items, stages } = tables;

/** Items, and of forms every item of their images: what follows from a form changes with it. */
export const withFollowing = (ids: ReturnType<typeof sql>) => sql`
  ${ids} union
  select other.id from ${items} form
  join ${stages} s on s.id = form.stage_id and s.kind = 'attributes'
  join ${items} other on other.image_id = form.image_id
  where form.id in (${ids})`;

/** Locks them in the order of ids, as everything that changes items does: nobody waits for another in a circle. */
export const holdWithFollowing = (tx: Transaction, ids: readonly string[]) =>
  tx.execute(sql`
    select id from ${items}
    where id = any (array(${withFollowing(sql`select unnest(${sql.param(ids)}::uuid[])`)}))
    order by id for no key update`);
