import type { Transaction } from '@/db';
import { judge } from '@/lib/quality/judge';
import type { Policy } from '@/lib/quality/policy';
import { applyDecision } from './apply-decision';
import { readHistory } from './read-history';
import { rulesInForce } from './rules-in-force';

/** More than the longest window of any rule, and little enough to read at the end of every batch. */
const LOOK_BACK = 100;

/** A batch of the worker is over: the rules look at what they did, and the decision holds from the next batch on. */
export async function decideAboutWorker(
  tx: Transaction,
  about: { projectId: string; stageId: string; workerId: string; policy: Policy },
): Promise<void> {
  const rules = await rulesInForce(tx, about.projectId);
  if (rules.length === 0) return;
  const history = await readHistory(tx, { ...about, newest: LOOK_BACK });
  const judgement = judge(history, rules);
  if (!judgement) return;
  const { verdict, rule, ruleVersion, reason, evidence } = judgement;
  const { projectId, stageId, workerId } = about;
  const by = { rule: { id: rule, version: ruleVersion }, decidedBy: null };
  await applyDecision(tx, { projectId, stageId, workerId, verdict, reason, evidence, ...by });
}
