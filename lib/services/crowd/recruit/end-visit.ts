import { and, eq, sql } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { requireScope, type UserActor } from '@/lib/services/access';
import { holdMembership, tryHoldMembership } from '../hold-membership';
import { releaseBatches } from '../release-batches';
import type { Outcome } from './recruiter';
import { recruiterOf } from './registry';
import { openVisit, type VisitProgress, visitProgress } from './visit';

const { arrivals, sessions } = tables;

const batchEnds = {
  finished: 'submitted',
  'screened-out': 'submitted',
  returned: 'returned',
  'timed-out': 'expired',
} as const satisfies Record<Outcome, string>;

/**
 * Ends a visit: finished items are kept and paid, open ones go to others at once, and the person is signed out, for
 * they have no password to come back with. False when it had ended already.
 */
export async function endVisit(
  tx: Transaction,
  visit: { id: string; projectId: string; workerId: string },
  state: Outcome,
): Promise<boolean> {
  // Without a membership there is nothing to hold: nobody can take work in their name meanwhile.
  await tryHoldMembership(tx, visit);
  const [ended] = await tx
    .update(arrivals)
    .set({ state, endedAt: sql`now()` })
    .where(and(eq(arrivals.id, visit.id), eq(arrivals.state, 'active')))
    .returning({ id: arrivals.id });
  if (!ended) return false;
  await releaseBatches(tx, visit, batchEnds[state]);
  await tx.delete(sessions).where(eq(sessions.userId, visit.workerId));
  return true;
}

/** The worker goes back to the marketplace; where to depends on what they did here. */
export async function leave(
  db: Database,
  actor: UserActor,
  { projectId }: { projectId: string },
): Promise<{ outcome: VisitProgress['outcome']; completionUrl: string | null }> {
  requireScope(actor, 'work.finish');
  return db.transaction(async (tx) => {
    await holdMembership(tx, { projectId, workerId: actor.userId });
    const visit = await openVisit(tx, { workerId: actor.userId, projectId });
    if (!visit) throw notFound('visit');
    const { outcome } = await visitProgress(tx, visit);
    await endVisit(tx, visit.arrival, outcome);
    const completionUrl = recruiterOf(visit.recruitment.recruiter).completionUrl(visit.recruitment, outcome);
    return { outcome, completionUrl };
  });
}
