import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { requireScope, type UserActor } from '@/lib/services/access';
import { effectivePolicy } from './effective-policy';
import { membershipOf, requireUnfinishedOpen } from './own-work';

const { batches, leases, memberships, projects, stages, answers, checks, items, reservations } = tables;

/**
 * The worker's own batch, locked for the rest of the transaction. Whoever changes work locks in this order:
 * own membership, batches, leases, items by id. The membership is the mutex of one worker's tabs; a batch is
 * also locked by others, who reclaim it when its time is over. Locks are `no key update`, so that a foreign
 * key that points at the row does not wait.
 */
export async function holdBatch(
  tx: Transaction,
  actor: UserActor,
  which: { batchId: string } | { leaseId: string },
) {
  requireScope(actor, 'work.finish');
  const isIt =
    'batchId' in which
      ? eq(batches.id, which.batchId)
      : sql`${batches.id} = (select ${leases.batchId} from ${leases} where ${leases.id} = ${which.leaseId}
          and ${leases.workerId} = ${actor.userId})`;
  const isOwn = and(isIt, eq(batches.workerId, actor.userId));
  const [setting] = await tx
    .select({
      stageKind: stages.kind,
      projectState: projects.state,
      projectPolicy: projects.policy,
      stagePolicy: stages.policy,
    })
    .from(batches)
    .innerJoin(projects, eq(projects.id, batches.projectId))
    .innerJoin(stages, eq(stages.id, batches.stageId))
    .innerJoin(memberships, membershipOf(batches.projectId, batches.workerId))
    .where(isOwn)
    .for('no key update', { of: memberships });
  // Asked again: while we waited for the membership, the lease may have gone into a new batch.
  const [batch] = setting ? await tx.select().from(batches).where(isOwn).for('no key update') : [];
  if (!setting || !batch) throw notFound('batchId' in which ? 'batch' : 'lease');
  requireUnfinishedOpen(setting.projectState);
  const policy = effectivePolicy(setting.projectPolicy, setting.stagePolicy);
  return { batch, policy, stageKind: setting.stageKind };
}

export type HeldBatch = Awaited<ReturnType<typeof holdBatch>>;

/** Why a batch that is closed takes nothing more, for the worker. */
/** The codes under which workers read these texts in their language. */
export const closedCode = {
  submitted: 'batchSubmitted',
  expired: 'batchExpired',
  returned: 'batchReturned',
} as const;

export const closedText: Record<'submitted' | 'expired' | 'returned', string> = {
  submitted: 'This batch is submitted.',
  expired:
    'The time for this batch ran out and its open items went to others. What you had finished is kept and paid.',
  returned: 'You gave this batch back.',
};

export type Item = typeof items.$inferSelect;

/**
 * Locks, in the order of ids, every item that ending the leases `l` of `which` may change: their own, what may follow
 * from those that are forms, the attribute items of images on which somebody found nothing to draw, and the items
 * reserved for their batches.
 */
export async function holdItems(tx: Transaction, which: SQL): Promise<Map<string, Item>> {
  const own = sql`
    select l.item_id from ${leases} l
    where ${which} and not exists (select 1 from ${checks} c where c.lease_id = l.id)`;
  const reserved = sql`
    select r.item_id from ${reservations} r where r.batch_id in (select l.batch_id from ${leases} l where ${which})`;
  const denied = sql`
    select cause.id from ${items} i
    join ${answers} a on a.item_id = i.id and a.value->>'kind' = 'nothing'
    join ${items} cause on cause.image_id = i.image_id
    join ${stages} s on s.id = cause.stage_id and s.kind = 'attributes'
    where i.id in (${own}) and i.target <> ''`;
  const locked = await tx
    .select()
    .from(items)
    .where(sql`${items.id} = any (array(${withFollowing(own)} union ${denied} union ${reserved}))`)
    .orderBy(items.id)
    .for('no key update');
  return new Map(locked.map((item) => [item.id, item]));
}

/**
 * Items, of forms every item of their images, and of outlines the items about further objects: what follows from a form
 * or an outline changes with it.
 */
const withFollowing = (ids: ReturnType<typeof sql>) => sql`
  ${ids} union
  select other.id from ${items} form
  join ${stages} s on s.id = form.stage_id and s.kind in ('attributes', 'object-mask')
  join ${items} other on other.image_id = form.image_id
    and (s.kind = 'attributes' or position('#' in other.target) > 0)
  where form.id in (${ids})`;

/** Locks them in the order of ids, as everything that changes items does: nobody waits for another in a circle. */
export const holdWithFollowing = (tx: Transaction, ids: readonly string[]) =>
  tx.execute(sql`
    select id from ${items}
    where id = any (array(${withFollowing(sql`select unnest(${sql.param(ids)}::uuid[])`)}))
    order by id for no key update`);
