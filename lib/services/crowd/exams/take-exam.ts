import { type Transaction, tables } from '@/db';
import { conflict } from '@/lib/core/errors';
import type { Policy } from '@/lib/core/quality/policy';
import { REFRESHER_IMAGES } from '../gold/assign-pool';
import { type Chosen, chooseForExam, chooseForPractice } from '../gold/choose-gold';
import { priceIn } from '../work/pay-for';
import type { WorkerFacts } from '../work/worker-facts';
import { writeBatch } from '../work/write-batch';
import { examSettings } from './exam-settings';

/** A new attempt at the exam of a stage: gold that the worker has never met. */
export async function takeExam(tx: Transaction, workerId: string, facts: WorkerFacts, policy: Policy) {
  const { projectId, stageId, stageKind, attempts } = facts;
  const settings = examSettings(policy, stageKind);
  if (!settings) throw new Error('The gate lets nobody into an exam that there is not.');
  const where = { projectId, stageId, workerId };
  const chosen = await chooseForExam(tx, { ...where, limits: policy.gold }, settings.size);
  if (chosen.length < settings.size) {
    throw conflict(
      'There is not enough gold for an exam that is new to you. The curator has to add some: please come back later.',
      { gate: 'exam', code: 'notEnoughExamItems', needed: settings.size, there: chosen.length },
    );
  }
  const batch = await handOutGold(tx, { ...where, kind: 'exam', policy, chosen });
  await tx.insert(tables.exams).values({ ...where, batchId: batch.id, attempt: attempts + 1 });
  return batch;
}

/**
 * Hands out gold with feedback; null when there is none that the worker has not seen. A refresher or a hint about one part or
 * attribute prefers gold that shows it.
 */
export async function takePractice(
  tx: Transaction,
  workerId: string,
  wanted: 'practice' | 'refresher',
  facts: WorkerFacts,
  policy: Policy,
) {
  const { projectId, stageId, stageKind } = facts;
  const where = { projectId, stageId, workerId };
  const count = wanted === 'practice' ? (examSettings(policy, stageKind)?.practice ?? 0) : REFRESHER_IMAGES;
  const about = wanted === 'refresher' ? facts.refresherTarget : facts.hintTarget;
  const chosen = await chooseForPractice(tx, { ...where, limits: policy.gold }, count, about);
  if (chosen.length === 0) return null;
  return handOutGold(tx, {
    ...where,
    kind: 'practice',
    policy,
    chosen,
    isRefresher: wanted === 'refresher',
  });
}

interface GoldBatch {
  projectId: string;
  stageId: string;
  workerId: string;
  kind: 'exam' | 'practice';
  policy: Policy;
  chosen: readonly Chosen[];
  isRefresher?: boolean;
}

/** Hands out a batch of gold only. */
async function handOutGold(tx: Transaction, { chosen, policy, isRefresher = false, ...batch }: GoldBatch) {
  const inOrder = [...chosen].sort((a, b) => (a.itemId.slice(-12) < b.itemId.slice(-12) ? -1 : 1));
  const price = { ...priceIn(policy), ...(isRefresher && { paysPractice: true as const }) };
  return writeBatch(
    tx,
    { ...batch, leaseMinutes: policy.leaseMinutes, price },
    inOrder.map((gold) => ({ ...gold, twinImageId: null, isExtra: true })),
  );
}
