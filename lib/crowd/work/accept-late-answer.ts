import { and, eq, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { conflict } from '@/lib/errors';
import { scoreChecks } from '../checks/score-checks';
import { closedText, type HeldBatch } from './hold-batch';
import { holdItems } from './hold-items';
import { payLateAnswer } from './pay-late-answer';
import { settleAnswers } from './settle-answers';

const { standings } = tables;

/** An answer whose lease had been released, and that was stored just now: it counts at once, or is set aside. */
export async function acceptLateAnswer(
  tx: Transaction,
  held: HeldBatch,
  { leaseId, answerId }: { leaseId: string; answerId: string },
): Promise<void> {
  const { batch, stageKind, policy } = held;
  if (batch.state === 'leased') throw conflict('You reported this item as broken.', { state: 'released' });
  if (batch.state === 'returned' || batch.kind !== 'work')
    throw conflict(closedText[batch.state], { state: batch.state });
  await refuseIfStopped(tx, held);
  const which = sql`l.id = ${leaseId}`;
  const items = await holdItems(tx, which);
  await scoreChecks(tx, which, stageKind, policy);
  await settleAnswers(tx, { which, held: items, stageKind, policy, inTime: false });
  await payLateAnswer(tx, held, answerId);
}

/** Whoever was stopped keeps what they had finished by then, and gets no more work through an old page. */
async function refuseIfStopped(tx: Transaction, { batch }: HeldBatch): Promise<void> {
  const [standing] = await tx
    .select({ state: standings.state })
    .from(standings)
    .where(and(eq(standings.stageId, batch.stageId), eq(standings.workerId, batch.workerId)));
  if (standing?.state === 'paused' || standing?.state === 'ended')
    throw conflict('Your work in this stage was stopped. What you had finished by then is kept and paid.', {
      gate: standing.state,
    });
}
