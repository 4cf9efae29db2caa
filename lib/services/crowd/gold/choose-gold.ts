import { type SQL, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import type { GoldPool } from '@/db/schema';
import type { Policy } from '@/lib/core/quality/policy';
import { isNotPaused } from '../work/pick-images';

const { batches, checks, gold, images, items, leases, memberships } = tables;

/** Whose gold, and the limits on showing it. */
export interface GoldScope {
  projectId: string;
  stageId: string;
  workerId: string;
  limits: Pick<Policy['gold'], 'maxExposures' | 'maxCohortExposures'>;
  /** Parts that the worker does not receive. */
  pausedTargets?: readonly string[];
}

export type Chosen = { goldId: string; itemId: string };

export type GoldImage = {
  imageId: string;
  className: string | null;
  /** The worker met the image in an exam or in practice of another stage, which are known to consist of gold. */
  isKnown: boolean;
};

export interface GoldWanted {
  /** One gold image is wanted for each of these classes. */
  classes: readonly (string | null)[];
  /** Classes to try, in this order, when a wanted class has no gold left. */
  otherClasses: readonly (string | null)[];
  except: readonly string[];
}

/**
 * Chooses gold images for hidden checks, one for each requested class: the least shown first, at random among
 * equals, of the same class where there is one. A worker meets a gold image once in a stage. Images that the worker
 * knows as gold of another stage come last, because a program recognises them by their pixels.
 */
export async function chooseGoldImages(
  tx: Transaction,
  scope: GoldScope,
  { classes, otherClasses, except }: GoldWanted,
): Promise<(GoldImage | null)[]> {
  if (classes.length === 0) return [];
  const found = await tx.execute<GoldImage>(goldImageQuery(scope, classes.length, except));
  const left = [...found.rows];
  const takeFirst = (isIt: (image: GoldImage) => boolean) => {
    const index = left.findIndex(isIt);
    return index < 0 ? null : (left.splice(index, 1)[0] ?? null);
  };
  const takeClass = (name: string | null, isKnown: boolean) =>
    takeFirst((image) => image.className === name && image.isKnown === isKnown);
  const takeOther = (isKnown: boolean) => {
    for (const name of otherClasses) {
      const image = takeClass(name, isKnown);
      if (image) return image;
    }
    return takeFirst((image) => image.isKnown === isKnown);
  };
  const fillWith = (isKnown: boolean, chosen: readonly (GoldImage | null)[]) =>
    chosen
      .map((image, n) => image ?? takeClass(classes[n] ?? null, isKnown))
      .map((image) => image ?? takeOther(isKnown));
  const unknown = fillWith(
    false,
    classes.map(() => null),
  );
  return fillWith(true, unknown);
}

/** `except`: images that are being handed out already; one that is partly gold may be among them. */
export const goldImageQuery = (scope: GoldScope, count: number, except: readonly string[]): SQL => sql`
  select "imageId", "className", "isKnown" from (
    select *, row_number() over (partition by "className", "isKnown" order by exposures, random()) as turn
    from (
      select i.image_id as "imageId", image.class_name as "className", min(g.exposures) as exposures,
        ${isKnownTo(scope)} as "isKnown"
      from ${gold} g ${withItem} join ${images} image on image.id = i.image_id
      where g.state = 'active' and g.pool = 'check' and ${isWithinLimits(scope)} and ${isFresh(scope)}
        and i.image_id <> all (${sql.param(except)}::uuid[]) ${isNotPaused(scope.pausedTargets ?? [])}
      group by i.image_id, image.class_name
    ) as fresh
  ) as ranked where turn <= ${count} order by exposures, random()`;

/** The worker met the image of an item `i` in an exam or in practice, in any stage. */
const isKnownTo = ({ workerId }: GoldScope) => sql`exists (
        select 1 from (select o.id from ${items} o where o.image_id = i.image_id offset 0) other
        where exists (
          select 1 from ${leases} l join ${batches} b on b.id = l.batch_id and b.kind <> 'work'
          where l.item_id = other.id and l.worker_id = ${workerId} offset 0)
        offset 0)`;

/** Locks the gold of images that may be shown once more, in the order of ids. */
export async function lockGoldOf(
  tx: Transaction,
  { stageId, limits }: GoldScope,
  imageIds: readonly string[],
): Promise<Chosen[]> {
  const locked = await tx.execute<Chosen>(sql`
    select g.id as "goldId", g.item_id as "itemId" from ${gold} g
    where g.item_id in (
        select i.id from ${items} i where i.image_id = any (${sql.param(imageIds)}::uuid[]) and i.stage_id = ${stageId})
      and g.state = 'active' and g.pool = 'check' and g.exposures < ${limits.maxExposures}
    order by g.id for no key update`);
  return locked.rows;
}

/** Chooses gold items of the exam pool that the worker has never met, at most one of an image. */
export async function chooseForExam(tx: Transaction, scope: GoldScope, count: number): Promise<Chosen[]> {
  const isShowable = sql`g.state = 'active' and ${isIn('exam')} and ${isWithinLimits(scope)}`;
  return lockItems(
    tx,
    sql`
    select id from (
      select g.id, g.exposures,
        row_number() over (partition by i.image_id order by g.exposures, random()) as turn
      from ${gold} g ${withItem}
      where ${isShowable} and ${isFresh(scope)}
    ) as fresh where turn = 1 order by exposures, random() limit ${count}`,
  );
}

/**
 * Chooses gold for practice, whose answers are shown afterwards: of the practice pool, or retired. Gold about `target`,
 * a part that is drawn or an attribute that is there, comes first.
 */
export async function chooseForPractice(
  tx: Transaction,
  scope: GoldScope,
  count: number,
  target: string | null = null,
): Promise<Chosen[]> {
  if (count === 0) return [];
  return lockItems(
    tx,
    sql`
    select id from (
      select g.id, g.exposures, ${isAbout(target)} as "isAbout",
        row_number() over (partition by i.image_id order by ${isAbout(target)} desc, g.exposures, random()) as turn
      from ${gold} g ${withItem}
      where ((g.state = 'active' and ${isIn('practice')}) or g.state = 'retired') and ${isFresh(scope)}
    ) as known where turn = 1 order by "isAbout" desc, exposures, random() limit ${count}`,
  );
}

/** Gold `g` of an item `i` is about a part, or its form says that an attribute is there. */
const isAbout = (target: string | null) =>
  target === null
    ? sql`false`
    : sql`(i.target = ${target} or coalesce(jsonb_path_exists(g.value, '$.choices.*[*] ? (@ == $target)',
        jsonb_build_object('target', ${target}::text)), false))`;

const isIn = (pool: GoldPool) => sql`g.pool = ${pool}`;

/**
 * The item `i` of gold `g`. `offset 0` keeps PostgreSQL on the path from gold to item to image: for a stage whose
 * images have just arrived it estimates none, and would scan all of them for each gold item.
 */
const withItem = sql`cross join lateral (
        select item.image_id, item.stage_id, item.target from ${items} item where item.id = g.item_id offset 0) i`;

/** Gold `g` may be shown once more, to anybody and within the worker's cohort. */
const isWithinLimits = ({ projectId, workerId, limits }: GoldScope) => sql`
  g.exposures < ${limits.maxExposures}
    and (${limits.maxCohortExposures}::int is null or g.exposures < ${limits.maxCohortExposures}::int
      or (select count(*) from ${checks} c
          join ${memberships} m on m.user_id = c.worker_id and m.project_id = ${projectId} and m.role = 'worker'
          where c.gold_id = g.id and m.cohort is not distinct from (
            select own.cohort from ${memberships} own
            where own.project_id = ${projectId} and own.user_id = ${workerId} and own.role = 'worker')
        ) < ${limits.maxCohortExposures}::int)`;

/** Gold `g` of an item `i` in the stage, with an active image that the worker has not met there. */
const isFresh = ({ projectId, stageId, workerId }: GoldScope) => sql`
  g.project_id = ${projectId} and i.stage_id = ${stageId}
    and (select image.state = 'active' from ${images} image where image.id = i.image_id)
    and not exists (
      select 1 from (select o.id, o.stage_id from ${items} o where o.image_id = i.image_id offset 0) other
      where other.stage_id = i.stage_id and exists (
        select 1 from ${leases} l where l.item_id = other.id and l.worker_id = ${workerId} offset 0)
      offset 0)`;

/** In the order of ids, so that two concurrent hand-outs cannot deadlock. */
async function lockItems(tx: Transaction, chosen: SQL): Promise<Chosen[]> {
  const locked = await tx.execute<Chosen>(sql`
    select g.id as "goldId", g.item_id as "itemId" from ${gold} g where g.id in (${chosen})
    order by g.id for no key update`);
  return locked.rows;
}
