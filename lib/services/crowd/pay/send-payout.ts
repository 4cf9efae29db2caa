import { eq, sql } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import { conflict, notFound } from '@/lib/core/errors';
import { type Actor, authoriseThrough } from '@/lib/services/access';
import type { BonusLine } from '../recruit/recruiter';
import { recruiterOf } from '../recruit/registry';
import { settleIn } from './approve-payout';

const { arrivals, payoutLines, payouts, recruitments } = tables;

/**
 * Pays a list through the marketplace of its people, in two steps: the list is handed over and its reference kept, then
 * the reference is paid. Whatever breaks in between, asking again pays the same reference, and that only once.
 */
export async function sendPayout(
  db: Database,
  actor: Actor,
  { payoutId }: { payoutId: string },
): Promise<void> {
  const [found] = await db
    .select({ projectId: payouts.projectId })
    .from(payouts)
    .where(eq(payouts.id, payoutId));
  await authoriseThrough(db, actor, 'crowd.manage', { what: 'payout', projectId: found?.projectId });
  const isOpen = await db.transaction((tx) => handOver(tx, payoutId));
  if (!isOpen) return;
  await db.transaction(async (tx) => {
    const { payout, recruitment } = await hold(tx, payoutId);
    if (payout.state !== 'approved' || !payout.reference) return;
    await recruiterOf(recruitment.recruiter).sendBonus(recruitment, payout.reference);
    await settleIn(tx, actor, { projectId: payout.projectId, payoutId, state: 'paid' });
  });
}

/** False for a list that is paid already. */
async function handOver(tx: Transaction, payoutId: string): Promise<boolean> {
  const { payout, recruitment } = await hold(tx, payoutId);
  if (payout.state === 'cancelled') throw conflict('This list is cancelled: nothing more can become of it.');
  if (payout.state === 'paid') return false;
  if (payout.reference) return true;
  const lines = await linesOf(tx, payout, recruitment.id);
  const reference = await recruiterOf(recruitment.recruiter).prepareBonus(recruitment, lines);
  if (!reference)
    throw conflict(
      'This installation may not pay there: set TESSERA_PROLIFIC_TOKEN, or take the list as CSV and pay it by hand.',
    );
  await tx.update(payouts).set({ reference }).where(eq(payouts.id, payoutId));
  return true;
}

/** Locked while we ask the marketplace: two curators who send at once send one after the other. */
async function hold(tx: Transaction, payoutId: string) {
  const [payout] = await tx.select().from(payouts).where(eq(payouts.id, payoutId)).for('no key update');
  if (!payout) throw notFound('payout');
  const [recruitment] = payout.recruitmentId
    ? await tx.select().from(recruitments).where(eq(recruitments.id, payout.recruitmentId))
    : [];
  if (!recruitment)
    throw conflict('These people did not come by a marketplace: take the list as CSV and pay it by hand.');
  return { payout, recruitment };
}

async function linesOf(
  tx: Transaction,
  { id }: typeof payouts.$inferSelect,
  recruitmentId: string,
): Promise<BonusLine[]> {
  const found = await tx.execute<{ externalWorker: string; amountMicro: string; currency: string }>(sql`
    select a.external_worker as "externalWorker", l.amount_micro::text as "amountMicro", l.currency
    from ${payoutLines} l
    join lateral (
      select external_worker from ${arrivals} where worker_id = l.worker_id and recruitment_id = ${recruitmentId}
      order by id desc limit 1) a on true
    where l.payout_id = ${id} order by l.id`);
  return found.rows.map((row) => ({ ...row, amountMicro: BigInt(row.amountMicro) }));
}
