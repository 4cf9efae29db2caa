import { and, asc, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { Tie } from '@/lib/core/splits';
import { noClass } from '@/lib/services/images/image-filter';
import { countBits, MAX_DISTANCE } from '@/lib/services/images/lookalikes';
import { matchingImages } from '@/lib/services/images/matching-images';
import type { SplitImage } from './assign-splits';
import type { FreezeFilter } from './request';

const { blobs, images } = tables;
const PAGE = 5000;

/** An image to be frozen, without its labels. */
export interface FreezeMember extends SplitImage {
  imageId: string;
  width: number;
  height: number;
  blob: string;
  mediaType: string;
  perceptualHash: bigint;
}

/** Reads the active images that match a filter, ordered by name as in a version. */
export async function readMembers(
  db: Db,
  { projectId, filter, signal }: { projectId: string; filter: FreezeFilter; signal?: AbortSignal },
): Promise<FreezeMember[]> {
  const members: FreezeMember[] = [];
  for (let after: string | undefined; ; after = members.at(-1)?.imageId) {
    signal?.throwIfAborted();
    const page = await db
      .select({
        id: images.sourceSha256,
        imageId: images.id,
        name: images.name,
        className: images.className,
        wnid: images.wnid,
        groupKey: images.groupKey,
        columns: images.columns,
        width: images.width,
        height: images.height,
        blob: images.blob,
        mediaType: blobs.mediaType,
        perceptualHash: images.perceptualHash,
      })
      .from(images)
      .innerJoin(blobs, eq(blobs.sha256, images.blob))
      .where(
        and(
          matchingImages(projectId, { ...filter, state: 'active' }),
          ofClasses(filter.classes),
          after ? gt(images.id, after) : undefined,
        ),
      )
      .orderBy(asc(images.id))
      .limit(PAGE);
    members.push(...page);
    if (page.length < PAGE) break;
  }
  // Byte order: locale-aware sorting differs between machines.
  return members.sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id));
}

const ofClasses = (classes: readonly string[] | undefined) =>
  classes &&
  or(
    inArray(images.className, [...classes]),
    classes.includes(noClass) ? isNull(images.className) : undefined,
  );

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Finds images with identical pixels and images with similar perceptual hashes. */
export function findTies(members: readonly FreezeMember[]): Tie[] {
  const ties: Tie[] = [];
  const firstOf = new Map<string, string>();
  const inOrder = [...members].sort((a, b) => compare(a.id, b.id));
  for (const { id, blob } of inOrder) {
    const first = firstOf.get(blob);
    if (first === undefined) firstOf.set(blob, id);
    else ties.push({ a: first, b: id, why: 'same file' });
  }
  const same = new Set(ties.map(({ b }) => b));
  const distinct = inOrder.filter(({ id }) => !same.has(id));
  for (const [a, b] of nearPairs(distinct.map(({ id, perceptualHash }) => ({ id, hash: perceptualHash }))))
    ties.push({ a, b, why: 'looks alike' });
  return ties;
}

interface Hashed {
  id: string;
  hash: bigint;
}

interface Bits {
  id: string;
  low: number;
  high: number;
}

/**
 * Returns pairs of images with similar perceptual hashes: enough pairs to connect each cluster of look-alikes. A split
 * that keeps every pair together keeps whole clusters together.
 */
function nearPairs(pictures: readonly Hashed[]): [string, string][] {
  const pairs: [string, string][] = [];
  const firstOf = new Map<bigint, Bits>();
  for (const { id, hash } of pictures) {
    const bits = BigInt.asUintN(64, hash);
    const first = firstOf.get(bits);
    if (first) pairs.push([first.id, id]);
    else firstOf.set(bits, { id, low: Number(bits & 0xffffffffn), high: Number(bits >> 32n) });
  }
  // At most 3 differing bits leave one of four 16-bit quarters equal.
  const distinct = [...firstOf.values()];
  const seen = new Set<string>();
  for (let quarter = 0; quarter < 4; quarter++) {
    const buckets = new Map<number, Bits[]>();
    for (const bits of distinct) {
      const key = ((quarter < 2 ? bits.low : bits.high) >>> (quarter % 2 === 0 ? 0 : 16)) & 0xffff;
      const bucket = buckets.get(key);
      if (!bucket) buckets.set(key, [bits]);
      else {
        for (const other of bucket) {
          if (countBits(bits.low ^ other.low) + countBits(bits.high ^ other.high) > MAX_DISTANCE) continue;
          const name = `${other.id}\n${bits.id}`;
          if (!seen.has(name)) pairs.push([other.id, bits.id]);
          seen.add(name);
        }
        bucket.push(bits);
      }
    }
  }
  return pairs;
}

/** Maximum number of columns that a form offers. */
const MAX_COLUMNS = 50;

/** Lists the image columns of a project in one statement. */
export async function listColumns(db: Db, projectId: string): Promise<string[]> {
  const found = await db.execute<{ name: string }>(sql`
    select distinct jsonb_object_keys(i.columns) as name from ${images} i
    where i.project_id = ${projectId} and i.columns <> '{}'::jsonb order by 1 limit ${MAX_COLUMNS}`);
  return found.rows.map(({ name }) => name);
}
