import type { Database } from '@/db';
import { type Confirmation, explainConfirmation } from '@/lib/core/quality/confirmation';
import { RECENT_ANSWERS } from '@/lib/core/quality/history';
import { type Explained, explainEvidence } from '@/lib/core/quality/next-step';
import { readHistory } from '../trust/read-history';
import { readReliability } from '../trust/read-reliability';
import { rulesInForce } from '../trust/rules-in-force';
import type { CrowdStage } from './crowd-stages';

export interface StageEvidence {
  stageId: string;
  tests: Explained[];
  /** Whether single answers of the worker become labels. */
  confirmation: Confirmation;
}

/** Reads the evidence about a worker over time, by stage, with the limits of the rules in force or the defaults. */
export async function workerEvidence(
  db: Database,
  { projectId, workerId, stages }: { projectId: string; workerId: string; stages: readonly CrowdStage[] },
): Promise<StageEvidence[]> {
  const inForce = await rulesInForce(db, projectId);
  return Promise.all(
    stages.map(async ({ id: stageId, kind: stageKind, policy }) => {
      const history = await readHistory(db, { projectId, stageId, workerId, policy, newest: RECENT_ANSWERS });
      const { workers } = await readReliability(db, { stageId, policy }, [workerId]);
      const accuracy = workers.get(workerId)?.accuracy ?? 1;
      return {
        stageId,
        tests: explainEvidence(history, inForce),
        confirmation: explainConfirmation(policy, { stageKind, accuracy, history, rules: inForce }),
      };
    }),
  );
}
