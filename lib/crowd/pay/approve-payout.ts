import { eq, sql } from 'drizzle-orm';
import { type Database, newId, tables } from '@/db';
import { record } from '@/lib/audit';
import { type Actor, authorise } from '@/lib/auth';
import { actorId } from '@/lib/auth/actor';
import { conflict } from '@/lib/errors';
import { balances } from './balances';

const { payoutLines, payouts, projects } = tables;

export interface NewPayout {
  projectId: string;
  note: string;
}

/** Puts all that is pending in a project on one list, which is then paid outside of Tessera. */
export async function approvePayout(
  db: Database,
  actor: Actor,
  { projectId, note }: NewPayout,
): Promise<{ payoutId: string; lines: number }> {
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
    const payoutId = newId();
    await tx.insert(payouts).values({ id: payoutId, projectId, note, createdBy: actorId(actor) });
    await tx.insert(payoutLines).values(
      due.map(({ workerId, currency, pending }) => ({
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
      detail: { lines: due.length },
    });
    return { payoutId, lines: due.length };
  });
}
