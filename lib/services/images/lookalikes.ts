import { and, asc, eq, gt, inArray, notInArray, sql } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import { type Actor, actorId } from '@/lib/core/actor';
import { record } from '@/lib/services/activity';
import type { JobContext } from '@/lib/services/jobs';
import { enqueue } from '@/lib/services/jobs';
import { activeStates } from '@/lib/services/jobs/job-row';

/** Bits of 64 in which the perceptual hashes of two pictures that look alike may differ. */
export const MAX_DISTANCE = 3;

interface Hashed {
  id: string;
  hash: bigint;
}

interface Leader {
  id: string;
  low: number;
  high: number;
}

/**
 * Gives each picture the first one (in the given order) that it looks like; a picture that starts a group stands
 * for itself, and one that nothing looks like is left out. Everybody is compared with the first of a group and
 * never with its other members, so that a chain of small steps cannot tie pictures together that differ.
 *
 * At most 3 differing bits leave one of four 16-bit quarters equal: only first pictures that share a quarter are
 * looked at.
 */
function groupLookalikes(pictures: Iterable<Hashed>): Map<string, string> {
  const byQuarter: Map<number, Leader[]>[] = [new Map(), new Map(), new Map(), new Map()];
  const byHash = new Map<bigint, Leader>();
  const groups = new Map<string, string>();
  for (const { id, hash } of pictures) {
    const bits = BigInt.asUintN(64, hash);
    const mine: Leader = { id, low: Number(bits & 0xffffffffn), high: Number(bits >> 32n) };
    const leader = byHash.get(bits) ?? nearest(byQuarter, mine);
    if (leader) {
      groups.set(leader.id, leader.id);
      groups.set(id, leader.id);
      continue;
    }
    byHash.set(bits, mine);
    quartersOf(mine).forEach((quarter, place) => {
      const bucket = byQuarter[place]?.get(quarter);
      if (bucket) bucket.push(mine);
      else byQuarter[place]?.set(quarter, [mine]);
    });
  }
  return groups;
}

const quartersOf = ({ low, high }: Leader) => [low & 0xffff, low >>> 16, high & 0xffff, high >>> 16];

/** The one that differs least, and of those the first. */
function nearest(byQuarter: readonly Map<number, Leader[]>[], mine: Leader): Leader | undefined {
  let best: Leader | undefined;
  let least = MAX_DISTANCE + 1;
  for (const [place, quarter] of quartersOf(mine).entries()) {
    for (const leader of byQuarter[place]?.get(quarter) ?? []) {
      const differing = countBits(mine.low ^ leader.low) + countBits(mine.high ^ leader.high);
      if (differing < least || (differing === least && best && leader.id < best.id)) {
        best = leader;
        least = differing;
      }
    }
  }
  return best;
}

/** How many bits of 32 are set. */
export function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

const { images } = tables;
const pageSize = 10_000;
const rowsPerUpdate = 1000;

/**
 * Puts the images of a project that look alike into groups, among those that are not broken. Excluded ones take
 * part: the one that was kept should still be seen beside those that were not.
 */
export async function findLookalikes(
  context: JobContext,
  { projectId }: { projectId: string },
): Promise<{ images: number; groups: number; lookalikes: number }> {
  const { db, signal } = context;
  const pictures: { id: string; hash: bigint; old: string | null }[] = [];
  for (let after: string | undefined; ; after = pictures.at(-1)?.id) {
    signal.throwIfAborted();
    const page = await db
      .select({ id: images.id, hash: images.perceptualHash, old: images.lookalikeOf })
      .from(images)
      .where(
        and(
          eq(images.projectId, projectId),
          notInArray(images.state, ['broken', 'derived']),
          after ? gt(images.id, after) : undefined,
        ),
      )
      .orderBy(asc(images.id))
      .limit(pageSize);
    pictures.push(...page);
    await context.progress(pictures.length, null, 'Reading hashes');
    if (page.length < pageSize) break;
  }
  const groups = groupLookalikes(pictures);
  const changed = pictures
    .map(({ id, old }) => ({ id, old, now: groups.get(id) ?? null }))
    .filter(({ old, now }) => old !== now);
  for (let from = 0; from < changed.length; from += rowsPerUpdate) {
    signal.throwIfAborted();
    const rows = changed.slice(from, from + rowsPerUpdate).map(({ id, now }) => ({ id, now }));
    await db.execute(sql`
      update ${images} set lookalike_of = r.now
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, now uuid)
      where ${images.id} = r.id`);
    await context.progress(from + rows.length, changed.length, 'Writing groups');
  }
  return {
    images: pictures.length,
    groups: new Set(groups.values()).size,
    lookalikes: groups.size,
  };
}

interface NearDuplicate {
  imageId: string;
  name: string;
  otherId: string;
  otherName: string;
  /** Bits of 64 in which the difference hashes differ. */
  distance: number;
}

/**
 * Pairs of images of a project that look alike, the most alike first. They share one of four 16-bit quarters of
 * their hashes, so that pairs are found by joining on quarters instead of comparing every image with every other.
 */
export async function findNearDuplicates(
  db: Db,
  input: { projectId: string; distance?: number; limit?: number },
): Promise<NearDuplicate[]> {
  const distance = Math.min(input.distance ?? MAX_DISTANCE, MAX_DISTANCE);
  const { rows } = await db.execute<{ [Key in keyof NearDuplicate]: NearDuplicate[Key] }>(sql`
    with quarters as (
      select id, name, perceptual_hash as hash, quarter, (perceptual_hash >> (16 * quarter)) & 65535 as bits
      from images, generate_series(0, 3) as quarter
      where project_id = ${input.projectId} and state = 'active'
    ), pairs as (
      select distinct one.id as id, one.name as name, other.id as other_id, other.name as other_name,
        bit_count((one.hash # other.hash)::bit(64))::int as distance
      from quarters one join quarters other
        on one.quarter = other.quarter and one.bits = other.bits and one.id < other.id
      where bit_count((one.hash # other.hash)::bit(64)) <= ${distance}
    )
    select id as "imageId", name, other_id as "otherId", other_name as "otherName", distance
    from pairs order by distance, id, other_id limit ${input.limit ?? 100}`);
  return rows;
}

const { jobs } = tables;
const kind = 'find-lookalikes';

/** Has the images of a project compared with each other. A job that is at it already is the answer. */
export async function requestLookalikes(
  db: Database,
  actor: Actor,
  projectId: string,
): Promise<{ jobId: string }> {
  const [busy] = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.projectId, projectId), eq(jobs.kind, kind), inArray(jobs.state, [...activeStates])))
    .limit(1);
  if (busy) return { jobId: busy.id };
  return db.transaction(async (tx) => {
    await record(tx, { actor, verb: 'images.find-lookalikes', subject: 'images', projectId });
    const meta = { title: 'Find images that look alike', projectId, startedBy: actorId(actor) };
    return { jobId: await enqueue(tx, kind, { projectId }, meta) };
  });
}
