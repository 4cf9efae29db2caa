import { and, eq, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { requireScope, type UserActor } from '@/lib/services/access';
import { membershipOf } from './own-work';

const { batches, derivatives, images, items, leases, memberships } = tables;

/**
 * The address of an image as its worker sees it. It names the lease and nothing else: two workers, or one worker in
 * two batches, cannot compare addresses, and it stops working when the worker leaves the project.
 */
export const leaseImageUrl = (leaseId: string): string => `/api/v1/work/leases/${leaseId}/image`;

/** Finds the image file of one of the worker's own leases. */
export async function findLeaseImage(
  db: Db,
  actor: UserActor,
  { leaseId }: { leaseId: string },
): Promise<{ sha256: string }> {
  requireScope(actor, 'work.read');
  const [found] = await db
    .select({ sha256: sql<string>`coalesce(${derivatives.blob}, ${images.blob})` })
    .from(leases)
    .innerJoin(batches, eq(batches.id, leases.batchId))
    .innerJoin(memberships, membershipOf(batches.projectId, leases.workerId))
    .innerJoin(items, eq(items.id, leases.itemId))
    .innerJoin(images, eq(images.id, items.imageId))
    .leftJoin(derivatives, and(eq(derivatives.imageId, images.id), eq(derivatives.kind, 'working')))
    .where(and(eq(leases.id, leaseId), eq(leases.workerId, actor.userId)));
  if (!found) throw notFound('lease');
  return found;
}
