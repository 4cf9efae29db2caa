import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { conflict, invalid, notFound } from '@/lib/core/errors';
import { type ProjectState, requireScope, type UserActor, visibleProjects } from '@/lib/services/access';
import { isOpenIn } from '@/lib/services/access/policy';
import { membershipOf, requireUnfinishedOpen } from '@/lib/services/crowd/work/own-work';
import type { EnginePicture, EngineUser } from '@/lib/services/inference/assists/assist-engine';
import { readAll, storage } from '@/lib/services/storage';

const { batches, derivatives, images, items, labels, leases, memberships, projects, stages } = tables;

/** A working copy is far smaller; a picture without one has at most what an upload may have. */
const MAX_BYTES = 256_000_000;

/** Where somebody draws, which decides who can: the lease of a worker, or a picture or label of a curator. */
export type AssistPlace =
  | { kind: 'lease'; leaseId: string }
  | { kind: 'gold'; projectId: string; imageId: string }
  | { kind: 'audit'; projectId: string; labelId: string };

export interface DrawnPicture {
  user: EngineUser;
  picture: EnginePicture;
}

/** Finds the picture of a place where the actor has the right to draw. Any other place does not exist. */
export async function findPicture(db: Db, actor: UserActor, place: AssistPlace): Promise<DrawnPicture> {
  const found =
    place.kind === 'lease'
      ? await findLeased(db, actor, place.leaseId)
      : place.kind === 'gold'
        ? await findGoldImage(db, actor, place)
        : await findLabelImage(db, actor, place);
  // Curators know which images are gold.
  const user = { id: actor.userId, isVeiled: place.kind === 'lease' };
  return { user, picture: pictureOf(found) };
}

const imageFile = {
  width: images.width,
  height: images.height,
  sha256: sql<string>`coalesce(${derivatives.blob}, ${images.blob})`,
};
const workingCopy = and(eq(derivatives.imageId, images.id), eq(derivatives.kind, 'working'));

type ImageFile = { width: number; height: number; sha256: string };

function pictureOf({ width, height, sha256 }: ImageFile): EnginePicture {
  const read = async () => readAll(await storage().get(sha256), MAX_BYTES);
  return { sha256, size: { width, height }, read };
}

/** A worker's own open lease that asks for a drawing. */
async function findLeased(db: Db, actor: UserActor, leaseId: string): Promise<ImageFile> {
  requireScope(actor, 'work.finish');
  const [row] = await db
    .select({ ...imageFile, state: leases.state, projectState: projects.state, stageKind: stages.kind })
    .from(leases)
    .innerJoin(batches, eq(batches.id, leases.batchId))
    .innerJoin(projects, eq(projects.id, batches.projectId))
    .innerJoin(memberships, membershipOf(batches.projectId, leases.workerId))
    .innerJoin(items, eq(items.id, leases.itemId))
    .innerJoin(stages, eq(stages.id, items.stageId))
    .innerJoin(images, eq(images.id, items.imageId))
    .leftJoin(derivatives, workingCopy)
    .where(and(eq(leases.id, leaseId), eq(leases.workerId, actor.userId)));
  if (!row) throw notFound('lease');
  requireUnfinishedOpen(row.projectState);
  if (row.state !== 'open') throw conflict('This item is not open any more.', { state: row.state });
  requireDrawing(row.stageKind);
  return row;
}

type GoldPlace = Extract<AssistPlace, { kind: 'gold' }>;

/** An image of a project in which the actor can write gold. */
async function findGoldImage(db: Db, actor: UserActor, place: GoldPlace): Promise<ImageFile> {
  const [row] = await db
    .select({ ...imageFile, projectState: projects.state })
    .from(images)
    .innerJoin(projects, eq(projects.id, images.projectId))
    .leftJoin(derivatives, workingCopy)
    .where(
      and(
        eq(images.id, place.imageId),
        eq(projects.id, place.projectId),
        visibleProjects(actor, 'gold.write'),
      ),
    );
  if (!row) throw notFound('image');
  requireOpen('gold.write', row.projectState);
  return row;
}

type AuditPlace = Extract<AssistPlace, { kind: 'audit' }>;

/** The image of a drawn label that the actor can correct. */
async function findLabelImage(db: Db, actor: UserActor, place: AuditPlace): Promise<ImageFile> {
  const [row] = await db
    .select({ ...imageFile, projectState: projects.state, stageKind: stages.kind })
    .from(labels)
    .innerJoin(projects, eq(projects.id, labels.projectId))
    .innerJoin(items, eq(items.id, labels.itemId))
    .innerJoin(stages, eq(stages.id, items.stageId))
    .innerJoin(images, eq(images.id, labels.imageId))
    .leftJoin(derivatives, workingCopy)
    .where(
      and(
        eq(labels.id, place.labelId),
        eq(projects.id, place.projectId),
        visibleProjects(actor, 'audit.decide'),
      ),
    );
  if (!row) throw notFound('label');
  requireOpen('audit.decide', row.projectState);
  requireDrawing(row.stageKind);
  return row;
}

function requireOpen(verb: 'gold.write' | 'audit.decide', state: ProjectState): void {
  if (!isOpenIn(verb, state)) throw conflict(`The project is ${state}: this cannot be done in that state.`);
}

function requireDrawing(kind: string): void {
  if (kind !== 'object-mask' && kind !== 'part-mask') throw invalid('This item asks for no drawing.');
}

/** The next images of the batch that the worker still has to draw, without the one of the given position and before. */
export async function findNextPictures(
  db: Db,
  actor: UserActor,
  after: { leaseId: string } | { batchId: string },
  limit: number,
): Promise<EnginePicture[]> {
  requireScope(actor, 'work.read');
  const isAfter =
    'leaseId' in after
      ? and(
          eq(leases.batchId, sql`(select l.batch_id from ${leases} l where l.id = ${after.leaseId})`),
          gt(leases.position, sql`(select l.position from ${leases} l where l.id = ${after.leaseId})`),
          sql`${items.imageId} <> (select i.image_id from ${leases} l join ${items} i on i.id = l.item_id
            where l.id = ${after.leaseId})`,
        )
      : eq(leases.batchId, after.batchId);
  const rows = await db
    .select({ ...imageFile, first: sql<number>`min(${leases.position})` })
    .from(leases)
    .innerJoin(batches, eq(batches.id, leases.batchId))
    .innerJoin(stages, eq(stages.id, batches.stageId))
    .innerJoin(items, eq(items.id, leases.itemId))
    .innerJoin(images, eq(images.id, items.imageId))
    .leftJoin(derivatives, workingCopy)
    .where(
      and(
        eq(leases.workerId, actor.userId),
        eq(leases.state, 'open'),
        eq(batches.state, 'leased'),
        sql`${stages.kind} in ('object-mask', 'part-mask')`,
        isAfter,
      ),
    )
    .groupBy(images.id, derivatives.blob)
    .orderBy(asc(sql`min(${leases.position})`))
    .limit(limit);
  return rows.map(pictureOf);
}
