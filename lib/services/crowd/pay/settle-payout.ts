import { eq, sql } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import { conflict } from '@/lib/core/errors';
import { type Actor, authoriseThrough } from '@/lib/services/access';
import { record } from '@/lib/services/activity';

const { ledger, payoutLines, payouts } = tables;

/** The money has gone: each line becomes a payment in the ledger, once. */
export const markPaid = (db: Database, actor: Actor, input: { payoutId: string }) =>
  settlePayout(db, actor, input.payoutId, 'paid');

/** The list is not paid: what is on it is pending again. */
export const cancelPayout = (db: Database, actor: Actor, input: { payoutId: string }) =>
  settlePayout(db, actor, input.payoutId, 'cancelled');

async function settlePayout(
  db: Database,
  actor: Actor,
  payoutId: string,
  state: 'paid' | 'cancelled',
): Promise<void> {
  const [found] = await db
    .select({ projectId: payouts.projectId })
    .from(payouts)
    .where(eq(payouts.id, payoutId));
  const { project } = await authoriseThrough(db, actor, 'crowd.manage', {
    what: 'payout',
    projectId: found?.projectId,
  });
  const projectId = project.id;
  await db.transaction((tx) => settleIn(tx, actor, { projectId, payoutId, state }));
}

/** Within the caller's transaction; a list that is settled in this way already stays as it is. */
export async function settleIn(
  tx: Transaction,
  actor: Actor,
  { projectId, payoutId, state }: { projectId: string; payoutId: string; state: 'paid' | 'cancelled' },
): Promise<void> {
  const [payout] = await tx.select().from(payouts).where(eq(payouts.id, payoutId)).for('no key update');
  if (payout?.state === state) return;
  if (payout?.state !== 'approved')
    throw conflict(`This list is ${payout?.state}: nothing more can become of it.`);
  // Whether it was paid there we cannot know: on the next list the same money would go out again.
  if (state === 'cancelled' && payout.reference)
    throw conflict(
      `The marketplace has this list (${payout.reference}). Send it again, or look there and mark it as paid.`,
    );
  await tx.update(payouts).set({ state, settledAt: sql`now()` }).where(eq(payouts.id, payoutId));
  if (state === 'paid') await writePayments(tx, projectId, payoutId);
  await record(tx, { actor, verb: `payout.${state}`, subject: 'payout', subjectId: payoutId, projectId });
}

async function writePayments(tx: Transaction, projectId: string, payoutId: string): Promise<void> {
  const lines = await tx.select().from(payoutLines).where(eq(payoutLines.payoutId, payoutId));
  await tx.insert(ledger).values(
    lines.map(({ id, workerId, amountMicro, currency }) => ({
      projectId,
      workerId,
      kind: 'payment' as const,
      sourceId: id,
      amountMicro: -amountMicro,
      currency,
    })),
  );
}
