import { and, eq, sql } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import { requireScope, type UserActor } from '@/lib/auth';
import { conflict, notFound } from '@/lib/errors';
import { closedText } from './hold-batch';
import { membershipOf, requireUnfinishedOpen } from './own-work';

const { batches, drafts, leases, memberships, projects } = tables;

export interface DraftChange {
  leaseId: string;
  /** The revision that the change builds on; 0 when there was no draft. */
  revision: number;
  document: Record<string, unknown>;
}

/**
 * Stores the unsubmitted state of a lease as the next revision, if nobody stored another one in between;
 * else the conflict carries what is there, for the person to choose.
 */
export async function saveDraft(
  db: Database,
  actor: UserActor,
  { leaseId, revision, document }: DraftChange,
): Promise<{ revision: number }> {
  return db.transaction(async (tx) => {
    await holdOpenLease(tx, actor, leaseId);
    const next = revision + 1;
    const [saved] =
      revision === 0
        ? await tx
            .insert(drafts)
            .values({ leaseId, workerId: actor.userId, revision: next, document })
            .onConflictDoNothing()
            .returning({ revision: drafts.revision })
        : await tx
            .update(drafts)
            .set({ revision: next, document, updatedAt: sql`now()` })
            .where(and(eq(drafts.leaseId, leaseId), eq(drafts.revision, revision)))
            .returning({ revision: drafts.revision });
    if (saved) return saved;
    const [there] = await tx
      .select({ revision: drafts.revision, document: drafts.document })
      .from(drafts)
      .where(eq(drafts.leaseId, leaseId));
    throw conflict(
      'The draft was changed elsewhere, perhaps in another tab.',
      there ?? { revision: 0, document: null },
    );
  });
}

/** Shared, so that drafts do not wait for each other but an answer, which deletes the draft, waits for them. */
async function holdOpenLease(tx: Transaction, actor: UserActor, leaseId: string): Promise<void> {
  requireScope(actor, 'work.finish');
  const [lease] = await tx
    .select({ state: leases.state, batchState: batches.state, projectState: projects.state })
    .from(leases)
    .innerJoin(batches, eq(batches.id, leases.batchId))
    .innerJoin(projects, eq(projects.id, batches.projectId))
    .innerJoin(memberships, membershipOf(batches.projectId, leases.workerId))
    .where(and(eq(leases.id, leaseId), eq(leases.workerId, actor.userId)))
    .for('share', { of: leases });
  if (!lease) throw notFound('lease');
  requireUnfinishedOpen(lease.projectState);
  if (lease.state === 'open') return;
  const text =
    lease.state === 'answered'
      ? 'This item is answered already.'
      : lease.batchState === 'leased'
        ? 'You reported this item as broken.'
        : closedText[lease.batchState];
  throw conflict(text, { state: lease.state });
}
