import { and, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { conflict, invalid, notFound } from '@/lib/core/errors';
import { requireScope, type UserActor } from '@/lib/services/access';
import { membershipOf, requireUnfinishedOpen } from '@/lib/services/crowd/work/own-work';
import type { AssistPicture } from '@/lib/services/inference/assists/run-models';
import { readAll, storage } from '@/lib/services/storage';

const { batches, derivatives, images, items, leases, memberships, projects, stages } = tables;

/** A working copy is far smaller; a picture without one has at most what an upload may have. */
const MAX_BYTES = 256_000_000;

export interface LeasedPicture {
  workerId: string;
  blob: string;
  size: AssistPicture['size'];
}

/** The picture of a worker's own open lease that asks for a drawing. The lease of another does not exist. */
export async function findPicture(db: Db, actor: UserActor, leaseId: string): Promise<LeasedPicture> {
  requireScope(actor, 'work.finish');
  const [row] = await db
    .select({
      state: leases.state,
      projectState: projects.state,
      stageKind: stages.kind,
      width: images.width,
      height: images.height,
      blob: images.blob,
      working: derivatives.blob,
    })
    .from(leases)
    .innerJoin(batches, eq(batches.id, leases.batchId))
    .innerJoin(projects, eq(projects.id, batches.projectId))
    .innerJoin(memberships, membershipOf(batches.projectId, leases.workerId))
    .innerJoin(items, eq(items.id, leases.itemId))
    .innerJoin(stages, eq(stages.id, items.stageId))
    .innerJoin(images, eq(images.id, items.imageId))
    .leftJoin(derivatives, and(eq(derivatives.imageId, images.id), eq(derivatives.kind, 'working')))
    .where(and(eq(leases.id, leaseId), eq(leases.workerId, actor.userId)));
  if (!row) throw notFound('lease');
  requireUnfinishedOpen(row.projectState);
  if (row.state !== 'open') throw conflict('This item is not open any more.', { state: row.state });
  if (row.stageKind !== 'object-mask' && row.stageKind !== 'part-mask')
    throw invalid('This item asks for no drawing.');
  const size = { width: row.width, height: row.height };
  return { workerId: actor.userId, blob: row.working ?? row.blob, size };
}

/**
 * Reads the file. The key under which models cache what they computed names the worker: with a shared cache, a fast
 * suggestion would show that another worker has had the image before, which is mostly true of gold.
 */
export async function readPicture({ workerId, blob, size }: LeasedPicture): Promise<AssistPicture> {
  const bytes = await readAll(await storage().get(blob), MAX_BYTES);
  return { key: `${workerId} ${blob}`, bytes, size };
}
