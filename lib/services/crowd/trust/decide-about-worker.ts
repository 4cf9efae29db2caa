import type { Transaction } from '@/db';
import type { StageKind } from '@/lib/core/quality/answer';
import { RECENT_ANSWERS } from '@/lib/core/quality/history';
import { judge } from '@/lib/core/quality/judge';
import type { Policy } from '@/lib/core/quality/policy';
import { applyDecision } from './apply-decision';
import { reviewConfirmation } from './confirm-work';
import { readHistory } from './read-history';
import { rulesInForce } from './rules-in-force';

/** Judges a worker by the rules after a batch. A decision applies from the next batch on. */
export async function decideAboutWorker(
  tx: Transaction,
  about: { projectId: string; stageId: string; stageKind: StageKind; workerId: string; policy: Policy },
): Promise<void> {
  const rules = await rulesInForce(tx, about.projectId);
  const history = await readHistory(tx, { ...about, newest: RECENT_ANSWERS });
  await reviewConfirmation(tx, about, { history, rules });
  const judgement = judge(history, rules);
  if (!judgement) return;
  const { verdict, target, rule, ruleVersion, reason, evidence } = judgement;
  const { projectId, stageId, workerId } = about;
  const by = { rule: { id: rule, version: ruleVersion }, decidedBy: null };
  await applyDecision(tx, { projectId, stageId, workerId, verdict, target, reason, evidence, ...by });
}
