import { sql } from 'drizzle-orm';
import { newId, type Transaction, tables } from '@/db';
import type { standingStates } from '@/db/schema';

const { decisions, standings } = tables;

export const workerVerdicts = ['hint', 'refresher', 'pause', 'resume', 'end'] as const;
export type WorkerVerdict = (typeof workerVerdicts)[number];

/** A hint is told, and changes nothing. */
const stateAfter: Record<Exclude<WorkerVerdict, 'hint'>, (typeof standingStates)[number]> = {
  refresher: 'refresher',
  pause: 'paused',
  resume: 'active',
  end: 'ended',
};

export interface WorkerDecision {
  projectId: string;
  stageId: string;
  workerId: string;
  verdict: WorkerVerdict;
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
  const { projectId, stageId, workerId, verdict, reason, rule, decidedBy } = decision;
  const id = newId();
  await tx.insert(decisions).values({
    id,
    projectId,
    subject: 'worker',
    subjectId: workerId,
    stageId,
    verdict,
    reason,
    rule: rule?.id ?? null,
    ruleVersion: rule?.version ?? null,
    evidence: [...decision.evidence],
    decidedBy,
  });
  if (verdict === 'hint') return id;
  const state = stateAfter[verdict];
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
        // Whoever starts anew is judged by what they do from now on.
        ...(verdict === 'resume' && { since: sql`now()` }),
      },
    });
  return id;
}
