import { sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import type { Policy } from '@/lib/core/quality/policy';

const { items, leases, models, predictions, suggestions } = tables;

/**
 * Decides once for each lease of a new batch whether the promoted model's outline is shown or withheld. The draw is a
 * hash of the ids of lease and model: it can be made again by whoever knows both, and nothing about the item goes into
 * it, so a check gets an outline as often as any other item. For the same reason a batch with a picture that the model
 * has not seen gets none at all: otherwise new pictures would stand out from gold.
 */
export async function drawSuggestions(
  tx: Transaction,
  { projectId, batchId }: { projectId: string; batchId: string },
  policy: Policy['suggestions'],
): Promise<void> {
  if (!policy.isOn) return;
  await tx.execute(sql`
    with handed as materialized (
      select l.id, i.image_id, i.target, m.id as model_id
      from ${leases} l
      join ${items} i on i.id = l.item_id
      cross join (
        select id from ${models} where project_id = ${projectId} and state = 'promoted' order by id desc limit 1) m
      where l.batch_id = ${batchId}
    )
    insert into ${suggestions} (lease_id, model_id, state)
    select h.id, h.model_id, case when ${drawn} < ${policy.withheld}::float then 'withheld' else 'shown' end
    from handed h
    join ${predictions} p on p.model_id = h.model_id and p.image_id = h.image_id and p.masks ? h.target
    where not exists (
      select 1 from handed o where not exists (
        select 1 from ${predictions} q where q.model_id = o.model_id and q.image_id = o.image_id))
    on conflict (lease_id) do nothing`);
}

/** Evenly between 0 and 1, from the first 32 bits of a hash. Workers never learn the id of a model. */
const drawn = sql`
  (('x' || substr(md5(h.id::text || h.model_id::text), 1, 8))::bit(32)::bigint / 4294967296.0)`;
