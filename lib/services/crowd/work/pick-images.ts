import { sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';

const { batches, checks, images, items, labels, leases, messages } = tables;

/** One question about an image in a stage. */
export type ImageTarget = { itemId: string; target: string };

/** An image that can be handed out as a whole. */
export interface PickedImage {
  imageId: string;
  className: string | null;
  /** The open targets; the worker receives all of them. Their items are locked. */
  open: ImageTarget[];
  /** Targets that are answered already or leased to another worker. */
  others: string[];
  /** All others have a label, which is shown beside the open targets. */
  areOthersLabelled: boolean;
  /** The worker had it before and left some of it unanswered. */
  isReturning: boolean;
}

export interface Picking {
  stageId: string;
  workerId: string;
  /** Images are added until they hold this many open targets. */
  size: number;
  /** Parts that the worker does not receive: for them these do not exist, in gold and in ordinary images alike. */
  pausedTargets?: readonly string[];
}

export interface Picked {
  images: PickedImage[];
  /** An image was left out because another transaction is working on one of its targets. */
  isContended: boolean;
}

type Row = {
  id: string;
  imageId: string;
  target: string;
  className: string | null;
  isOpen: boolean;
  isLabelled: boolean;
  /** The worker had the item before. */
  isKnown: boolean;
};

/**
 * Picks whole images in hand-out order and locks their open items. Locked rows belong to another hand-out or to a
 * batch that is being closed; they are skipped, and an image with such a target is left for the next worker.
 */
export async function pickImages(tx: Transaction, picking: Picking): Promise<Picked> {
  const seeds = await tx.execute<{ imageId: string }>(seedQuery(picking));
  const order = [...new Set(seeds.rows.map(({ imageId }) => imageId))];
  if (order.length === 0) return { images: [], isContended: false };
  const rows = await targetsOf(tx, picking, order);
  const locked = await lockItems(
    tx,
    rows.filter(({ isOpen }) => isOpen).map(({ id }) => id),
  );
  const picked: PickedImage[] = [];
  let isContended = false;
  let count = 0;
  for (const imageId of order) {
    if (count >= picking.size) break;
    const own = rows.filter((row) => row.imageId === imageId);
    const open = own.filter(({ isOpen }) => isOpen);
    const others = own.filter(({ isOpen }) => !isOpen);
    if (open.length === 0 || open.some(({ id }) => !locked.has(id))) {
      isContended = true;
      continue;
    }
    count += open.length;
    picked.push({
      imageId,
      className: own[0]?.className ?? null,
      open: open.map(({ id, target }) => ({ itemId: id, target })),
      others: others.map(({ target }) => target),
      areOthersLabelled: others.every(({ isLabelled }) => isLabelled),
      isReturning: open.some(({ isKnown }) => isKnown),
    });
  }
  return { images: picked, isContended };
}

/**
 * Walks the index in hand-out order. The conditions are subqueries that return a truth value: each is one index
 * probe per item, never a join, and the planner expects half of the items to pass. With a join it would expect one
 * in 200 and sort the whole stage.
 */
export const seedQuery = ({ stageId, workerId, size, pausedTargets = [] }: Picking) => sql`
  select i.image_id as "imageId" from ${items} i
  where i.stage_id = ${stageId} and i.state = 'open' and i.leased + i.answered < i.overlap
    and (select image.state in ('active', 'derived') from ${images} image where image.id = i.image_id)
    and coalesce((${canReceive(workerId)}), true) ${isNotPaused(pausedTargets)}
  order by i.priority desc nulls last, i.shuffle, i.image_id, i.id
  limit ${size}
  for no key update of i skip locked`;

/**
 * Null if the worker never had the item `i`. The targets of an image that they met as gold come back with that image,
 * never as ordinary work.
 */
const canReceive = (workerId: string) => sql`
  select ${isLeftOver} and not exists (
    select 1 from ${items} beside
    join ${leases} met on met.item_id = beside.id and met.worker_id = ${workerId}
    join ${checks} c on c.lease_id = met.id
    where beside.image_id = i.image_id and beside.stage_id = i.stage_id)
  from ${leases} l where l.item_id = i.id and l.worker_id = ${workerId}`;

/**
 * Of a lease `l`: the worker left it unanswered when the batch was submitted or expired. It comes back as the same
 * lease, with its draft, because nothing was judged yet and a small crowd could not finish otherwise. Items that
 * were returned or reported as broken do not come back.
 */
export const isLeftOver = sql`l.state = 'released'
    and (select b.state from ${batches} b where b.id = l.batch_id) in ('expired', 'submitted')
    and not exists (select 1 from ${messages} m where m.lease_id = l.id and m.kind = 'broken-image')`;

/** Of an item `i`. Left out of the query for everybody who is paused for nothing. */
export const isNotPaused = (targets: readonly string[]) =>
  targets.length === 0 ? sql`` : sql`and i.target <> all (${sql.param(targets)}::text[])`;

async function targetsOf(
  tx: Transaction,
  { stageId, workerId, pausedTargets = [] }: Picking,
  imageIds: string[],
) {
  const found = await tx.execute<Row>(sql`
    select i.id, i.image_id as "imageId", i.target, image.class_name as "className",
      i.state = 'open' and i.leased + i.answered < i.overlap and coalesce((${canReceive(workerId)}), true) as "isOpen",
      exists (select 1 from ${labels} l where l.item_id = i.id and l.is_current) as "isLabelled",
      exists (select 1 from ${leases} l where l.item_id = i.id and l.worker_id = ${workerId}) as "isKnown"
    from unnest(${sql.param(imageIds)}::uuid[]) as wanted(id)
    cross join lateral (
      select * from ${items} item where item.image_id = wanted.id and item.stage_id = ${stageId} offset 0) i
    join ${images} image on image.id = i.image_id
    where i.state <> 'withdrawn' ${isNotPaused(pausedTargets)}
    order by i.image_id, i.target`);
  return found.rows;
}

/** Locks those items that are still free and that nobody else has locked. */
async function lockItems(tx: Transaction, ids: string[]): Promise<Set<string>> {
  const found = await tx.execute<{ id: string }>(sql`
    select id from ${items}
    where id = any (${sql.param(ids)}::uuid[]) and state = 'open' and leased + answered < overlap
    for no key update skip locked`);
  return new Set(found.rows.map(({ id }) => id));
}
