import { type Transaction, tables } from '@/db';
import { conflict } from '@/lib/core/errors';
import type { Policy } from '@/lib/core/quality/policy';
import { chooseForExam } from '../gold/choose-gold';
import type { WorkerFacts } from '../work/worker-facts';
import { examSettings } from './exam-settings';
import { handOutGold } from './hand-out-gold';

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
