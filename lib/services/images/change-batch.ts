import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { type Author, actorId } from '@/lib/core/actor';
import type { ChangeCounts, ImageChange } from './image-change';

const { answers, auditPicks, decisions, gold, images, items, labels, leases, versionImages } = tables;

/** Images in one transaction: short enough that nobody waits for its locks. */
export const batchSize = 500;

interface Batch {
  projectId: string;
  author: Author;
  change: ImageChange;
  ids: readonly string[];
  isDraft: boolean;
}

type LockedBatch = Awaited<ReturnType<typeof lockBatch>>[number];

/** Changes some images and writes into the history of each what was done. Doing it again changes nothing. */
export async function changeBatch(tx: Transaction, batch: Batch): Promise<ChangeCounts> {
  const { change } = batch;
  if (change.kind === 'class' || change.kind === 'delete') await lockImages(tx, batch);
  const held = await lockBatch(tx, batch);
  const free = held.filter((image) => !isKept(image, batch));
  const changing = free.filter((image) => !isSame(image, change));
  const counts = {
    images: batch.ids.length,
    changed: changing.length,
    same: free.length - changing.length,
    // An image that is gone meanwhile was deleted: nothing is left to change.
    kept: held.length - free.length,
  };
  if (changing.length === 0) return counts;
  const ids = changing.map((image) => image.id);
  if (change.kind === 'delete') await erase(tx, ids);
  else {
    await tx.update(images).set(valuesOf(change)).where(inArray(images.id, ids));
    // Their questions followed from the class they had; nobody has seen them, so they are created again.
    if (change.kind === 'class') await tx.delete(items).where(inArray(items.imageId, ids));
    await tx.insert(decisions).values(
      changing.map((image) => ({
        projectId: batch.projectId,
        subject: 'image' as const,
        subjectId: image.id,
        ...verdictOf(image, change),
        decidedBy: actorId(batch.author),
      })),
    );
  }
  return counts;
}

const lockBatch = (tx: Transaction, { projectId, ids }: Batch) =>
  tx
    .select({
      id: images.id,
      className: images.className,
      state: images.state,
      groupKey: images.groupKey,
      isAnswered: sql<boolean>`exists (select 1 from ${items} i
        where i.image_id = images.id and (i.leased > 0 or exists (select 1 from ${answers} a where a.item_id = i.id)))`,
      isGold: sql<boolean>`exists (select 1 from ${items} i join ${gold} g on g.item_id = i.id
        where i.image_id = images.id)`,
      isAudited: sql<boolean>`exists (select 1 from ${labels} b join ${auditPicks} p on p.label_id = b.id
        where b.image_id = images.id)`,
      // One that is being frozen has waited for the image, or was first and is seen.
      isFrozen: sql<boolean>`exists (select 1 from ${versionImages} v where v.image_id = images.id)`,
      isWorkedOn: sql<boolean>`exists (select 1 from ${items} i where i.image_id = images.id and (
        exists (select 1 from ${leases} l where l.item_id = i.id)
        or exists (select 1 from ${labels} b where b.item_id = i.id)))`,
    })
    .from(images)
    .where(and(eq(images.projectId, projectId), inArray(images.id, [...ids])))
    .orderBy(images.id)
    .for('no key update', { of: images });

function isKept(image: LockedBatch, { change, isDraft }: Batch): boolean {
  if (change.kind === 'state') return image.state === 'broken';
  if (change.kind === 'class') return image.isWorkedOn || image.isGold;
  if (change.kind !== 'delete') return false;
  // Gold is a person's careful work and cannot be had again: it stays even in a draft.
  return image.isGold || image.isFrozen || (!isDraft && (image.isAnswered || image.isAudited));
}

function isSame(image: LockedBatch, change: ImageChange): boolean {
  if (change.kind === 'class') return image.className === change.className;
  if (change.kind === 'group') return image.groupKey === change.groupKey;
  return change.kind === 'state' && image.state === change.state;
}

function valuesOf(change: Exclude<ImageChange, { kind: 'delete' }>) {
  if (change.kind === 'class') return { className: change.className };
  if (change.kind === 'group') return { groupKey: change.groupKey };
  return { state: change.state };
}

function verdictOf(image: LockedBatch, change: Exclude<ImageChange, { kind: 'delete' }>) {
  if (change.kind === 'class')
    return {
      verdict: 'class',
      reason: `${image.className ?? 'no class'} → ${change.className ?? 'no class'}`,
    };
  if (change.kind === 'group')
    return { verdict: 'group', reason: `${image.groupKey ?? 'no group'} → ${change.groupKey ?? 'no group'}` };
  const verdict = change.state === 'excluded' ? 'excluded' : 'restored';
  return { verdict, reason: change.reason || `A curator ${verdict} it.` };
}

/** Labels that were imported or generated go with their image; answers never get here, except in a draft. */
async function erase(tx: Transaction, ids: string[]): Promise<void> {
  await tx.execute(sql`set local tessera.erase = 'on'`);
  await tx.update(images).set({ lookalikeOf: null }).where(inArray(images.lookalikeOf, ids));
  await tx.delete(images).where(inArray(images.id, ids));
  await tx.execute(sql`set local tessera.erase = 'off'`);
}

interface Some {
  projectId: string;
  ids: readonly string[];
}

/**
 * Locks images and all their items: none is handed out, answered or created again until the
 * transaction ends, and the next statement sees what was. Items come first, for that is the order of everybody who ends
 * work (a label refers to its image). A question that was being asked meanwhile is in nobody's hands yet: then all are
 * let go and held again, with it among them.
 */
export async function lockImages(tx: Transaction, some: Some): Promise<void> {
  for (;;) {
    try {
      return await tx.transaction(async (attempt) => {
        const held = new Set((await lockItems(attempt, some)).map(({ id }) => id));
        // Who writes a question about an image or chooses one by its class shares the image; this does not.
        await attempt
          .select({ id: images.id })
          .from(images)
          .where(and(eq(images.projectId, some.projectId), inArray(images.id, [...some.ids])))
          .orderBy(asc(images.id))
          .for('update');
        const now = await attempt.select({ id: items.id }).from(items).where(areAbout(some));
        if (now.some(({ id }) => !held.has(id))) throw new AskedMeanwhile();
      });
    } catch (error) {
      if (!(error instanceof AskedMeanwhile)) throw error;
    }
  }
}

class AskedMeanwhile extends Error {}

const areAbout = ({ ids }: Some) => inArray(items.imageId, [...ids]);

const lockItems = (tx: Transaction, some: Some) =>
  tx
    .select({ id: items.id })
    .from(items)
    .innerJoin(images, eq(images.id, items.imageId))
    .where(and(eq(images.projectId, some.projectId), areAbout(some)))
    .orderBy(asc(items.id))
    .for('update', { of: items });
