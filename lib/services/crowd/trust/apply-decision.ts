import { sql } from 'drizzle-orm';
import { newId, type Transaction, tables } from '@/db';
import type { StageKind } from '@/lib/core/quality/answer';
import { nextState, RECENT_ANSWERS } from '@/lib/core/quality/history';
import { judge } from '@/lib/core/quality/judge';
import type { Policy } from '@/lib/core/quality/policy';
import { reviewConfirmation } from './confirm-work';
import { readHistory } from './read-history';
import { rulesInForce } from './rules-in-force';

const { decisions, standings } = tables;

/** Decisions that a person can make. */
export const workerVerdicts = ['hint', 'refresher', 'pause', 'resume', 'end'] as const;
export type WorkerVerdict = (typeof workerVerdicts)[number];

interface WorkerDecision {
  projectId: string;
  stageId: string;
  workerId: string;
  /** `refreshed`: the worker has finished a refresher. */
  verdict: WorkerVerdict | 'refreshed';
  /** The part or attribute that it is about; null for the whole stage. */
  target: string | null;
  /** Shown to the worker. */
  reason: string;
  /** Null when a person decides. */
  rule: { id: string; version: number } | null;
  /** Ids of checks, answers or appeals. */
  evidence: readonly string[];
  decidedBy: string | null;
}

/** Writes down what was decided about a worker in a stage, and how they stand from now on; both or neither. */
export async function applyDecision(tx: Transaction, decision: WorkerDecision): Promise<string> {
  const { projectId, stageId, workerId, verdict, target, reason, rule, decidedBy } = decision;
  const id = newId();
  await tx.insert(decisions).values({
    id,
    projectId,
    subject: 'worker',
    subjectId: workerId,
    stageId,
    verdict,
    target,
    reason,
    rule: rule?.id ?? null,
    ruleVersion: rule?.version ?? null,
    evidence: [...decision.evidence],
    decidedBy,
  });
  if (verdict === 'hint') return id;
  if (target !== null && (verdict === 'pause' || verdict === 'resume')) {
    await changeTargets(tx, { projectId, stageId, workerId }, verdict, target);
    return id;
  }
  const state = nextState('active', { verdict, target });
  await tx
    .insert(standings)
    .values({
      stageId,
      workerId,
      projectId,
      state,
      decisionId: id,
      since: verdict === 'resume' ? sql`now()` : new Date(0),
    })
    .onConflictDoUpdate({
      target: [standings.stageId, standings.workerId],
      set: {
        state,
        decisionId: id,
        updatedAt: sql`now()`,
        // A finished refresher is not a fresh start: evidence from before it still counts.
        ...(verdict === 'resume' && { since: sql`now()` }),
      },
    });
  return id;
}

/** Adds or removes a part that the worker does not receive. The work on other parts goes on. */
async function changeTargets(
  tx: Transaction,
  { projectId, stageId, workerId }: Pick<WorkerDecision, 'projectId' | 'stageId' | 'workerId'>,
  verdict: 'pause' | 'resume',
  target: string,
): Promise<void> {
  const without = sql`array_remove(${standings.pausedTargets}, ${target})`;
  await tx
    .insert(standings)
    .values({
      stageId,
      workerId,
      projectId,
      since: new Date(0),
      pausedTargets: verdict === 'pause' ? [target] : [],
    })
    .onConflictDoUpdate({
      target: [standings.stageId, standings.workerId],
      set: {
        pausedTargets: verdict === 'pause' ? sql`array_append(${without}, ${target})` : without,
        // A practice about this part that is not finished yet is cancelled with it.
        ...(verdict === 'resume' && {
          state: sql`case when ${standings.state} = 'refresher' and ${standings.decisionId} in (
            select d.id from ${decisions} d where d.target = ${target}) then 'active' else ${standings.state} end`,
        }),
        updatedAt: sql`now()`,
      },
    });
}

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
