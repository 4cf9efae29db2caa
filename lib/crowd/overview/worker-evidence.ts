import type { Db } from '@/db';
import { type Explained, explainEvidence } from '@/lib/quality/explain';
import { RECENT_ANSWERS } from '@/lib/quality/history';
import { readHistory } from '../trust/read-history';
import { rulesInForce } from '../trust/rules-in-force';
import type { CrowdStage } from './crowd-stages';

export interface StageEvidence {
  stageId: string;
  tests: Explained[];
}

/** The evidence against a worker over time, by stage, with the limits of the rules in force or else their own. */
export async function workerEvidence(
  db: Db,
  { projectId, workerId, stages }: { projectId: string; workerId: string; stages: readonly CrowdStage[] },
): Promise<StageEvidence[]> {
  const inForce = await rulesInForce(db, projectId);
  return Promise.all(
    stages.map(async ({ id: stageId, policy }) => {
      const history = await readHistory(db, { projectId, stageId, workerId, policy, newest: RECENT_ANSWERS });
      return { stageId, tests: explainEvidence(history, inForce) };
    }),
  );
}
