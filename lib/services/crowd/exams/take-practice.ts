import type { Transaction } from '@/db';
import type { Policy } from '@/lib/core/quality/policy';
import { REFRESHER_IMAGES } from '../gold/assign-pool';
import { chooseForPractice } from '../gold/choose-gold';
import type { WorkerFacts } from '../work/worker-facts';
import { examSettings } from './exam-settings';
import { handOutGold } from './hand-out-gold';

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
