import { createHash } from 'node:crypto';
import { and, eq, inArray } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { invalid } from '@/lib/core/errors';
import { type Actor, authorise } from '@/lib/services/access';
import { record } from '@/lib/services/activity';

const { ledger, memberships } = tables;

export interface Bonus {
  projectId: string;
  /** Made by the client: the same id is the same list, and pays nobody twice. */
  bonusId: string;
  currency: string;
  /** Shown to the worker. */
  note: string;
  lines: readonly { workerId: string; amountMicro: bigint }[];
}

/** Adds a bonus to what each worker of the list has earned. Gives how many were new. */
export async function payBonus(db: Database, actor: Actor, bonus: Bonus): Promise<{ paid: number }> {
  const { projectId, bonusId, currency, note, lines } = bonus;
  await authorise(db, actor, 'crowd.manage', { project: projectId });
  if (lines.length === 0) throw invalid('The list is empty.');
  if (lines.some(({ amountMicro }) => amountMicro <= 0n)) throw invalid('A bonus is more than nothing.');
  const ids = lines.map(({ workerId }) => workerId);
  if (new Set(ids).size < ids.length) throw invalid('A worker is on the list twice.');
  return db.transaction(async (tx) => {
    const known = await tx
      .select({ id: memberships.userId })
      .from(memberships)
      .where(
        and(
          eq(memberships.projectId, projectId),
          eq(memberships.role, 'worker'),
          inArray(memberships.userId, ids),
        ),
      );
    if (known.length < ids.length) throw invalid('Somebody on the list is not a worker of this project.');
    const made = await tx
      .insert(ledger)
      .values(
        lines.map(({ workerId, amountMicro }) => ({
          projectId,
          workerId,
          kind: 'bonus' as const,
          sourceId: sourceOf(bonusId, workerId),
          amountMicro,
          currency,
          note,
        })),
      )
      .onConflictDoNothing({ target: [ledger.kind, ledger.sourceId] })
      .returning({ id: ledger.id });
    if (made.length > 0) {
      const detail = { bonusId, workers: made.length };
      await record(tx, {
        actor,
        verb: 'bonus.pay',
        subject: 'project',
        subjectId: projectId,
        projectId,
        detail,
      });
    }
    return { paid: made.length };
  });
}

/** One source for each line of a list, the same however often the list is sent. */
function sourceOf(bonusId: string, workerId: string): string {
  const hex = createHash('sha256').update(`${bonusId} ${workerId}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}
