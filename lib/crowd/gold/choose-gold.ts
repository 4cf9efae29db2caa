import { sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { isLeftOver } from '../work/hand-out-items';

const { batches, checks, gold, images, items, leases } = tables;

export interface Choosing {
  projectId: string;
  stageId: string;
  workerId: string;
  count: number;
  maxExposures: number;
}

export type Chosen = { goldId: string; itemId: string };

/**
 * Gold for hidden checks and exams: the least shown first, at random among equals, none at its cap, each locked.
 * A worker meets a picture of gold once in a stage, so that what is known about its other parts can be shown
 * beside it as it is for any other picture, and gives no later check away.
 */
export async function chooseGold(tx: Transaction, choosing: Choosing): Promise<Chosen[]> {
  if (choosing.count === 0) return [];
  return lock(tx, choosing.maxExposures, freshGold(choosing));
}

export const freshGold = (choosing: Choosing) => sql`
    select id from (
      select g.id, g.exposures,
        row_number() over (partition by i.image_id order by g.exposures, random()) as turn
      from ${gold} g ${withItem}
      where g.state = 'active' and g.exposures < ${choosing.maxExposures} and ${isFresh(choosing)}
    ) as fresh where turn = 1 order by exposures, random() limit ${choosing.count}`;

/** Gold for practice, whose answer is shown afterwards: what is retired or most known anyhow. */
export async function chooseForPractice(
  tx: Transaction,
  choosing: Choosing & { spare: number },
): Promise<Chosen[]> {
  return lock(
    tx,
    null,
    sql`
    select id from (
      select g.id, g.state, g.exposures,
        row_number() over (partition by i.image_id order by g.state desc, g.exposures desc, random()) as turn,
        count(*) filter (where g.state = 'active') over () as active
      from ${gold} g ${withItem}
      where g.state in ('active', 'retired') and ${isFresh(choosing)}
    ) as known where turn = 1 and (state = 'retired' or active - ${choosing.spare} >= ${choosing.count})
    order by state desc, exposures desc, random() limit ${choosing.count}`,
  );
}

/**
 * The item `i` of gold `g`. `offset 0` keeps PostgreSQL on this path, from gold to item to picture: of a stage whose
 * pictures have just come it believes that there are none, and would go through all of them for each of them.
 */
const withItem = sql`cross join lateral (
        select item.image_id, item.stage_id from ${items} item where item.id = g.item_id offset 0) i`;

/** Of gold `g` of an item `i`: asked in the stage, with a sound picture that the worker has not met there. */
const isFresh = ({ projectId, stageId, workerId }: Choosing) => sql`
  g.project_id = ${projectId} and i.stage_id = ${stageId}
    and (select image.state = 'active' from ${images} image where image.id = i.image_id)
    and not exists (
      select 1 from (select o.id, o.stage_id from ${items} o where o.image_id = i.image_id offset 0) other
      where other.stage_id = i.stage_id and exists (
        select 1 from ${leases} l where l.item_id = other.id and l.worker_id = ${workerId} offset 0)
      offset 0)`;

/** In the order of ids, so that two who choose at once do not wait for each other in a circle. */
async function lock(
  tx: Transaction,
  below: number | null,
  chosen: ReturnType<typeof sql>,
): Promise<Chosen[]> {
  const locked = await tx.execute<Chosen>(sql`
    select g.id as "goldId", g.item_id as "itemId" from ${gold} g
    where g.id in (${chosen}) and (${below}::int is null or g.exposures < ${below}::int)
    order by g.id for no key update`);
  return locked.rows;
}

/**
 * Checks that the worker left unanswered come again with the other items of their batch, as those do: a picture
 * that did not come again would have been a check. When others took those items meanwhile, neither do they.
 */
export async function checksLeftOver(
  tx: Transaction,
  { stageId, workerId, atMost }: { stageId: string; workerId: string; atMost: number },
): Promise<Chosen[]> {
  if (atMost === 0) return [];
  const left = await tx.execute<Chosen>(sql`
    select c.gold_id as "goldId", l.item_id as "itemId"
    from ${batches} b
    join ${leases} l on l.batch_id = b.id
    join ${checks} c on c.lease_id = l.id
    join ${gold} g on g.id = c.gold_id and g.state in ('active', 'retired')
    where b.worker_id = ${workerId} and b.stage_id = ${stageId} and b.kind = 'work' and b.state in ('expired', 'submitted')
      and ${isLeftOver}
      and exists (
        select 1 from ${leases} beside join ${items} i on i.id = beside.item_id
        where beside.batch_id = l.batch_id and beside.state = 'released'
          and i.state = 'open' and i.leased + i.answered < i.overlap)
    order by l.id limit ${atMost}`);
  return left.rows;
}
