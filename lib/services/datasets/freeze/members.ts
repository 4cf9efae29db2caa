import { and, asc, eq, gt, inArray, isNull, or } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { Tie } from '@/lib/core/splits';
import { noClass } from '@/lib/services/images/image-filter';
import { matchingImages } from '@/lib/services/images/matching-images';
import type { Dealt } from './deal';
import { nearPairs } from './near-pairs';
import type { FreezeFilter } from './request';

const { images, blobs } = tables;
const PAGE = 5000;

/** An image that would be frozen, without its labels. */
export interface FreezeMember extends Dealt {
  imageId: string;
  width: number;
  height: number;
  blob: string;
  mediaType: string;
  perceptualHash: bigint;
}

/** All active images that a filter leaves, by name: the order of a version. */
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
  // Not by the rules of a language: those differ between machines.
  return members.sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id));
}

const ofClasses = (classes: readonly string[] | undefined) =>
  classes &&
  or(
    inArray(images.className, [...classes]),
    classes.includes(noClass) ? isNull(images.className) : undefined,
  );

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Images whose pixels are the same, and images that look alike to the perceptual hash. */
export function tiesOf(members: readonly FreezeMember[]): Tie[] {
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
