import { and, eq, sql } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import { isOpenIn, requireScope, type UserActor } from '@/lib/auth';
import { conflict, notFound } from '@/lib/errors';
import { closeBatches } from './close-batches';
import { effectivePolicy } from './effective-policy';
import { handOutItems } from './hand-out-items';
import { membershipOf } from './own-work';
import { drawsMasks } from './pay-for';
import { renewLease } from './renew-lease';

const { batches, memberships, projects, stages } = tables;

/** Batches reclaimed by one taker: enough to keep up with a crowd that leaves, little enough to stay quick. */
const RECLAIMED_AT_ONCE = 10;

export interface TakenBatch {
  id: string;
  leasedUntil: Date;
}

/** The worker's open batch of a stage, or a new one; null when nothing is left for them. */
export async function takeBatch(
  db: Database,
  actor: UserActor,
  input: { stageId: string },
): Promise<TakenBatch | null> {
  return db.transaction(async (tx) => {
    const stage = await holdStage(tx, actor, input.stageId);
    const isOpen = and(
      eq(batches.stageId, stage.id),
      eq(batches.workerId, actor.userId),
      eq(batches.state, 'leased'),
    );
    // One that ran out and that nobody reclaimed is still theirs.
    const open = await renewLease(tx, isOpen, stage.policy.leaseMinutes);
    if (open) return open;
    await reclaimBatches(tx, stage);
    const { batchSize, leaseMinutes } = stage.policy;
    const handed = await tx.execute<{ batch_id: string }>(
      handOutItems({
        projectId: stage.projectId,
        stageId: stage.id,
        workerId: actor.userId,
        size: drawsMasks(stage.kind) ? batchSize.masks : batchSize.attributes,
        leaseMinutes,
      }),
    );
    const batchId = handed.rows[0]?.batch_id;
    if (!batchId) return null;
    const [made] = await tx
      .select({ id: batches.id, leasedUntil: batches.leasedUntil })
      .from(batches)
      .where(eq(batches.id, batchId));
    return made ?? null;
  });
}

type Stage = Awaited<ReturnType<typeof holdStage>>;

/** The stage, while the worker's membership is locked: two tabs that ask at once get the same batch. */
async function holdStage(tx: Transaction, actor: UserActor, stageId: string) {
  requireScope(actor, 'work.take');
  const [found] = await tx
    .select({ stage: stages, projectState: projects.state, projectPolicy: projects.policy })
    .from(stages)
    .innerJoin(projects, eq(projects.id, stages.projectId))
    .innerJoin(memberships, membershipOf(projects.id, actor.userId))
    .where(eq(stages.id, stageId))
    .for('no key update', { of: memberships });
  if (!found) throw notFound('stage');
  const { stage, projectState, projectPolicy } = found;
  if (!isOpenIn('work.take', projectState)) {
    throw conflict(`The project is ${projectState}: no work is handed out now.`);
  }
  if (stage.state !== 'open') throw conflict(`"${stage.name}" is ${stage.state}: no work is handed out now.`);
  return { ...stage, policy: effectivePolicy(projectPolicy, stage.policy) };
}

/** Ends batches whose time is over, the oldest first, unless somebody is at them at this moment. */
async function reclaimBatches(tx: Transaction, stage: Stage): Promise<void> {
  const expired = await tx
    .select()
    .from(batches)
    .where(and(eq(batches.stageId, stage.id), sql`state = 'leased' and leased_until < now()`))
    .orderBy(batches.leasedUntil)
    .limit(RECLAIMED_AT_ONCE)
    .for('no key update', { skipLocked: true });
  if (expired.length === 0) return;
  await closeBatches(tx, { batches: expired, state: 'expired', stageKind: stage.kind, policy: stage.policy });
}
