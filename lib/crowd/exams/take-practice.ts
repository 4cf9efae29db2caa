import type { Transaction } from '@/db';
import type { Policy } from '@/lib/quality/policy';
import { chooseForPractice } from '../gold/choose-gold';
import type { WorkerFacts } from '../work/worker-facts';
import { examSettings } from './exam-settings';
import { handOutGold } from './hand-out-gold';

/** Items of a refresher: enough to see a mistake and to do it better. */
const REFRESHER = 3;

/** Gold with feedback. Practice before an exam leaves gold enough for the exam; null when there is none to spare. */
export async function takePractice(
  tx: Transaction,
  workerId: string,
  wanted: 'practice' | 'refresher',
  facts: WorkerFacts,
  policy: Policy,
) {
  const { projectId, stageId, stageKind } = facts;
  const settings = examSettings(policy, stageKind);
  const where = { projectId, stageId, workerId };
  const chosen = await chooseForPractice(tx, {
    ...where,
    count: wanted === 'practice' ? (settings?.practice ?? 0) : REFRESHER,
    spare: wanted === 'practice' ? (settings?.size ?? 0) : 0,
    maxExposures: policy.gold.maxExposures,
  });
  if (chosen.length === 0) return null;
  return handOutGold(tx, { ...where, kind: 'practice', policy, chosen });
}
