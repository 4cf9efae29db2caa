import { desc, eq, sql } from 'drizzle-orm';
import { type Database, newId, type Transaction, tables } from '@/db';
import { actorId } from '@/lib/core/actor';
import { conflict } from '@/lib/core/errors';
import { groupBy } from '@/lib/core/quality/group-by';
import { type Actor, authorise, authoriseThrough } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { balances } from './balances';

const { arrivals, payoutLines, payouts, projects, ledger } = tables;

export interface NewPayout {
  projectId: string;
  note: string;
}

/**
 * Puts all that is pending in a project on lists, one for the project's own people and one for each study by which
 * people came: who pays them is another in each case.
 */
export async function approvePayout(
  db: Database,
  actor: Actor,
  { projectId, note }: NewPayout,
): Promise<{ payoutIds: string[]; lines: number }> {
  await authorise(db, actor, 'crowd.manage', { project: projectId });
  return db.transaction(async (tx) => {
    // One list at a time: two curators who approve at once must not both list the same money.
    await tx
      .select({ id: projects.id })
      .from(projects)
      .where(eq(projects.id, projectId))
      .for('no key update');
    const due = (await balances(tx, sql`e.project_id = ${projectId}`)).filter(({ pending }) => pending > 0n);
    if (due.length === 0) throw conflict('Nothing is pending: everything earned is approved or paid.');
    const cameBy = await studiesOf(tx, projectId);
    const payoutIds: string[] = [];
    for (const [recruitmentId, list] of groupBy(due, ({ workerId }) => cameBy.get(workerId) ?? null)) {
      const payoutId = newId();
      payoutIds.push(payoutId);
      const createdBy = actorId(actor);
      await tx.insert(payouts).values({ id: payoutId, projectId, note, recruitmentId, createdBy });
      await tx.insert(payoutLines).values(
        list.map(({ workerId, currency, pending }) => ({
          payoutId,
          workerId,
          currency,
          amountMicro: pending,
        })),
      );
      await record(tx, {
        actor,
        verb: 'payout.approve',
        subject: 'payout',
        subjectId: payoutId,
        projectId,
        detail: { lines: list.length },
      });
    }
    return { payoutIds, lines: due.length };
  });
}

/** The study by which each worker came last; those who came another way are not in it. */
async function studiesOf(tx: Transaction, projectId: string): Promise<Map<string, string>> {
  const rows = await tx
    .selectDistinctOn([arrivals.workerId], { workerId: arrivals.workerId, study: arrivals.recruitmentId })
    .from(arrivals)
    .where(eq(arrivals.projectId, projectId))
    .orderBy(arrivals.workerId, desc(arrivals.id));
  return new Map(rows.map(({ workerId, study }) => [workerId, study]));
}

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
