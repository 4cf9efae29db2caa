import type { Transaction } from '@/db';
import type { Policy } from '@/lib/quality/policy';
import { REFRESHER_IMAGES } from '../gold/assign-pool';
import { chooseForPractice } from '../gold/choose-gold';
import type { WorkerFacts } from '../work/worker-facts';
import { examSettings } from './exam-settings';
import { handOutGold } from './hand-out-gold';

/** Gold with feedback; null when there is none that the worker has not seen. */
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
  const chosen = await chooseForPractice(tx, { ...where, limits: policy.gold }, count);
  if (chosen.length === 0) return null;
  return handOutGold(tx, { ...where, kind: 'practice', policy, chosen });
}
