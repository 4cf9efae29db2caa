import { desc, eq, sql } from 'drizzle-orm';
import { type Database, newId, type Transaction, tables } from '@/db';
import { actorId } from '@/lib/core/actor';
import { conflict } from '@/lib/core/errors';
import { groupBy } from '@/lib/core/quality/group-by';
import { type Actor, authorise } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { balances } from './balances';

const { arrivals, payoutLines, payouts, projects } = tables;

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
