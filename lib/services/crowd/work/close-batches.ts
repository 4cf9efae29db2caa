import { type SQL, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import type { Policy } from '@/lib/core/quality/policy';
import { scoreChecks } from '../checks/score-checks';
import { finishExams } from '../exams/finish-exams';
import { rotateGold } from '../gold/rotate-gold';
import { decideAboutWorker } from '../trust/apply-decision';
import { finishRefresher } from '../trust/end-refresher';
import { claimLateLeases, settleLateAnswers } from './late-answers';
import { holdItems } from './lock';
import { payBatches } from './pay-batches';
import { releaseLeases, releaseReservations } from './release-leases';
import { answerDoneDrafts } from './save-draft';
import { settleAnswers } from './settle-answers';

const { batches, drafts, leases } = tables;

type Batch = Pick<typeof batches.$inferSelect, 'id' | 'projectId' | 'stageId' | 'workerId' | 'kind' | 'pay'>;

export interface Closing {
  /** Batches of one stage that the transaction has locked. */
  batches: readonly Batch[];
  state: 'submitted' | 'expired' | 'returned';
  stageKind: StageKind;
  policy: Policy;
}

/**
 * Ends batches in one transaction. Drafts that are done become answers, and items without an answer go back to the
 * pool. Then checks are scored, answers count and become labels, finished items are paid once, and the rules are
 * applied to the workers.
 */
export async function closeBatches(tx: Transaction, closing: Closing): Promise<void> {
  const { batches: list, state, stageKind, policy } = closing;
  const ids = list.map((batch) => batch.id);
  const ofBatches = sql`l.batch_id = any (${sql.param(ids)}::uuid[])`;
  const [first] = list;
  if (!first) return;
  // First: which items are locked below depends on what was answered.
  await answerDoneDrafts(tx, ofBatches);
  const scope = { stageId: first.stageId, stageKind, policy };
  const late = await claimLateLeases(
    tx,
    scope,
    list.map(({ workerId }) => workerId),
  );
  const ofLate = sql`l.id = any (${sql.param(late)}::uuid[])`;
  // In one call, so that all items are locked in the order of ids.
  const locked = await holdItems(tx, sql`(${ofBatches} or ${ofLate})`);
  await releaseLeases(tx, ofBatches);
  await releaseReservations(tx, ids);
  // Before the batches: their consensus reads what counted earlier, and a claimed late answer does not count yet.
  const shownLate = await settleLateAnswers(tx, scope, late);
  const held = late.length > 0 ? await holdItems(tx, ofBatches) : locked;
  if (state === 'returned') await forgetDrafts(tx, ofBatches);
  const shown = await scoreChecks(tx, ofBatches, stageKind, policy);
  await settleAnswers(tx, { which: ofBatches, held, stageKind, policy, inTime: true });
  const exams = list.filter((batch) => batch.kind === 'exam').map((batch) => batch.id);
  const decided = await finishExams(tx, exams, stageKind, policy);
  await payBatches(tx, { ...closing, decided });
  await tx.execute(sql`
    update ${batches} set state = ${state}, submitted_at = case when ${state} = 'submitted' then now() end
    where id = any (${sql.param(ids)}::uuid[])`);
  await rotateGold(tx, [...shown, ...shownLate], policy);
  for (const batch of list) await lookAt(tx, batch, closing);
}

/** What is given back never comes again, so nobody needs what was begun. */
const forgetDrafts = (tx: Transaction, which: SQL) =>
  tx.execute(
    sql`delete from ${drafts} d using ${leases} l where d.lease_id = l.id and l.state = 'released' and ${which}`,
  );

async function lookAt(tx: Transaction, batch: Batch, { policy, stageKind, state }: Closing): Promise<void> {
  if (batch.kind === 'work') await decideAboutWorker(tx, { ...batch, stageKind, policy });
  if (batch.kind === 'practice' && state === 'submitted') await finishRefresher(tx, batch);
}
