import { sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { planChecks } from '@/lib/core/quality/check-rate';
import type { Policy } from '@/lib/core/quality/policy';
import { suspicionOf } from '@/lib/core/quality/sequential';
import { chooseGoldImages, type GoldScope, lockGoldOf } from '../gold/choose-gold';
import { isLeftOver, isNotPaused, type PickedImage } from '../work/pick-images';

const { batches, checks, gold, items, leases } = tables;

/** The open targets of an image, and how many others are answered already or leased to another worker. */
interface ImageShape {
  open: readonly string[];
  others: number;
}

/**
 * The targets of a gold image that are leased so that it looks like an image of the given shape. A fresh image gives
 * all of them. Of an image that is partly done, the gold image copies the same open targets or, where it has other
 * targets, their share. At least one target is gold.
 */
function targetsToLease<T extends { target: string; goldId: string | null }>(
  all: readonly T[],
  shape: ImageShape,
  random: () => number,
): T[] {
  if (!all.some(({ goldId }) => goldId !== null)) return [];
  if (shape.others === 0) return [...all];
  const open = new Set(shape.open);
  const same = all.filter(({ target }) => open.has(target));
  if (same.length === open.size && same.some(({ goldId }) => goldId !== null)) return same;
  const share = open.size / (open.size + shape.others);
  const count = Math.max(1, Math.round(all.length * share));
  const keyed = all.map((value) => ({ value, key: random() })).sort((a, b) => a.key - b.key);
  const first = keyed.find(({ value }) => value.goldId !== null)?.value;
  const chosen = new Set(
    [first, ...keyed.map(({ value }) => value).filter((value) => value !== first)].slice(0, count),
  );
  return all.filter((value) => chosen.has(value));
}

/** One lease of a batch that is about to be written. */
interface PlannedLease {
  itemId: string;
  target: string;
  imageId: string;
  /** Set for a hidden check. */
  goldId: string | null;
  /** Not counted in its item: a check, or a target of a gold image that needs no answer. */
  isExtra: boolean;
}

/** An image of a batch, and the ordinary image that it stands in for. */
export interface PlacedImage {
  imageId: string;
  leases: PlannedLease[];
  twin: PickedImage | null;
}

interface Placing extends GoldScope {
  images: readonly PickedImage[];
  /** Evidence counts from here; null for all of it. */
  since: Date | null;
  itemsDone: number;
  policy: Policy;
}

/**
 * Replaces some of the picked images by gold images. A gold image takes over the place, the class and the shape (how
 * many targets are open) of the image that it replaces, its twin. The twin stays reserved while the batch is in hand,
 * and a gold image that was left unanswered returns exactly when its twin would have. So whatever a worker can see or
 * do has the same distribution for gold and for ordinary images.
 */
export async function placeChecks(tx: Transaction, placing: Placing): Promise<PlacedImage[]> {
  const { images, policy } = placing;
  const returning = await leftOverImages(tx, placing);
  const wanted = policy.checkRate === 0 ? 0 : await countWanted(tx, placing);
  // An image that returns is never replaced, whether it is gold or not. Gold always shows its other targets, so it
  // cannot stand in for an image whose others are not labelled yet.
  const free = images.filter(
    ({ imageId, isReturning, areOthersLabelled }) =>
      areOthersLabelled && !isReturning && !returning.has(imageId),
  );
  const twins = sample(free, wanted - returning.size);
  const standIns = await goldFor(tx, placing, twins);
  return images.map((image) => {
    const leased = returning.get(image.imageId) ?? standIns.get(image.imageId);
    const [first] = leased ?? [];
    if (leased && first) return { imageId: first.imageId, leases: leased, twin: image };
    return {
      imageId: image.imageId,
      leases: image.open.map((target) => ordinary(image, target)),
      twin: null,
    };
  });
}

const ordinary = ({ imageId }: PickedImage, target: { itemId: string; target: string }): PlannedLease => ({
  ...target,
  imageId,
  goldId: null,
  isExtra: false,
});

async function countWanted(tx: Transaction, placing: Placing): Promise<number> {
  const { policy, images, itemsDone } = placing;
  const evidence = suspicionOf(await outcomes(tx, placing));
  const sizes = images.map(({ open }) => open.length);
  return planChecks(policy, { itemsDone, evidence }, sizes, Math.random);
}

/** Of the hidden checks of the stage that count, the oldest first. */
async function outcomes(tx: Transaction, { stageId, workerId, since }: Placing): Promise<boolean[]> {
  const found = await tx.execute<{ passed: boolean }>(sql`
    select c.passed from ${checks} c
    join ${leases} l on l.id = c.lease_id
    join ${batches} b on b.id = l.batch_id and b.stage_id = ${stageId} and b.kind = 'work'
    where c.worker_id = ${workerId} and c.passed is not null
      and (${since}::timestamptz is null or c.scored_at >= ${since}::timestamptz)
    order by c.scored_at, c.id`);
  return found.rows.map((row) => row.passed);
}

function sample<T>(list: readonly T[], count: number): T[] {
  const keyed = list.map((value) => ({ value, key: Math.random() })).sort((a, b) => a.key - b.key);
  return keyed.slice(0, Math.max(0, count)).map(({ value }) => value);
}

type LeftOver = PlannedLease & { twinId: string };

/**
 * Gold images of which the worker left any target unanswered, gold or not, and whose twin is being handed out again;
 * by twin.
 */
async function leftOverImages(
  tx: Transaction,
  { stageId, workerId, images, pausedTargets = [] }: Placing,
): Promise<Map<string, PlannedLease[]>> {
  const twinIds = images.map(({ imageId }) => imageId);
  const found = await tx.execute<LeftOver & Record<string, unknown>>(sql`
    with returning_images as (
      select distinct on (c.twin_image_id) c.twin_image_id as twin, i.image_id
      from ${checks} c
      join ${leases} met on met.id = c.lease_id
      join ${items} i on i.id = met.item_id and i.stage_id = ${stageId}
      join ${gold} g on g.id = c.gold_id and g.state in ('active', 'retired')
      where c.worker_id = ${workerId} and c.twin_image_id = any (${sql.param(twinIds)}::uuid[]) and exists (
        select 1 from ${items} o join ${leases} l on l.item_id = o.id and l.worker_id = ${workerId}
        where o.image_id = i.image_id and o.stage_id = i.stage_id and ${isLeftOver})
      order by c.twin_image_id, c.id desc)
    select r.twin as "twinId", i.id as "itemId", i.target, i.image_id as "imageId", c.gold_id as "goldId", true as "isExtra"
    from returning_images r
    join ${items} i on i.image_id = r.image_id and i.stage_id = ${stageId} and i.state <> 'withdrawn'
    join ${leases} l on l.item_id = i.id and l.worker_id = ${workerId}
    left join ${checks} c on c.lease_id = l.id
    where ${isLeftOver} ${isNotPaused(pausedTargets)} order by i.target`);
  const byTwin = new Map<string, PlannedLease[]>();
  for (const { twinId, ...lease } of found.rows) byTwin.set(twinId, [...(byTwin.get(twinId) ?? []), lease]);
  return byTwin;
}

type TargetRow = { itemId: string; imageId: string; target: string; isFree: boolean };

/** What is leased of a gold image in place of each twin; twins without gold are left out. */
async function goldFor(
  tx: Transaction,
  scope: Placing,
  twins: readonly PickedImage[],
): Promise<Map<string, PlannedLease[]>> {
  const chosen = await chooseGoldImages(tx, scope, {
    classes: twins.map(({ className }) => className),
    // A class that is in the batch anyway is the least conspicuous.
    otherClasses: sample(scope.images, scope.images.length).map(({ className }) => className),
    except: scope.images.map(({ imageId }) => imageId),
  });
  const imageIds = chosen.flatMap((image) => (image ? [image.imageId] : []));
  if (imageIds.length === 0) return new Map();
  const rows = await targetsOf(tx, scope, imageIds);
  const locked = await lockFree(tx, rows);
  const goldOf = new Map(
    (await lockGoldOf(tx, scope, imageIds)).map(({ itemId, goldId }) => [itemId, goldId]),
  );
  return new Map(
    twins.flatMap((twin, n) => {
      const image = chosen[n];
      if (!image) return [];
      const own = rows
        .filter(({ imageId }) => imageId === image.imageId)
        .map(({ itemId, imageId, target }) => {
          const goldId = goldOf.get(itemId) ?? null;
          return { itemId, imageId, target, goldId, isExtra: goldId !== null || !locked.has(itemId) };
        });
      const leased = targetsToLease(own, shapeOf(twin), Math.random);
      return leased.length > 0 ? [[twin.imageId, leased] as const] : [];
    }),
  );
}

const shapeOf = ({ open, others }: PickedImage): ImageShape => ({
  open: open.map(({ target }) => target),
  others: others.length,
});

async function targetsOf(
  tx: Transaction,
  { stageId, pausedTargets = [] }: Placing,
  imageIds: string[],
): Promise<TargetRow[]> {
  const found = await tx.execute<TargetRow>(sql`
    select i.id as "itemId", i.image_id as "imageId", i.target,
      i.state = 'open' and i.leased + i.answered < i.overlap as "isFree"
    from ${items} i
    where i.image_id = any (${sql.param(imageIds)}::uuid[]) and i.stage_id = ${stageId} and i.state <> 'withdrawn'
      ${isNotPaused(pausedTargets)}
    order by i.image_id, i.target`);
  return found.rows;
}

/** Locks the free items of gold images: their answers count like those of any other item. */
async function lockFree(tx: Transaction, rows: readonly TargetRow[]): Promise<Set<string>> {
  const free = rows.filter(({ isFree }) => isFree).map(({ itemId }) => itemId);
  if (free.length === 0) return new Set();
  const found = await tx.execute<{ id: string }>(sql`
    select id from ${items}
    where id = any (${sql.param(free)}::uuid[]) and state = 'open' and leased + answered < overlap
    for no key update skip locked`);
  return new Set(found.rows.map(({ id }) => id));
}
