import type { Db } from '@/db';
import { countingWork, RECENT_ANSWERS } from '@/lib/core/quality/history';
import { rules } from '@/lib/core/quality/rules';
import { readHistory } from '../trust/read-history';
import { rulesInForce } from '../trust/rules-in-force';
import type { CrowdStage } from './crowd-stages';

export interface Signal {
  stageId: string;
  rule: string;
  title: string;
  /** The words that a worker would read. */
  reason: string;
  isStrong: boolean;
  /** How many checks or answers speak for it. */
  evidence: number;
  isInForce: boolean;
}

/** What every rule there is sees in a worker's newest work, with the settings in force or else its own. */
export async function workerSignals(
  db: Db,
  { projectId, workerId, stages }: { projectId: string; workerId: string; stages: readonly CrowdStage[] },
): Promise<Signal[]> {
  const inForce = await rulesInForce(db, projectId);
  const found = await Promise.all(
    stages.map(async ({ id: stageId, policy }) => {
      const history = await readHistory(db, { projectId, stageId, workerId, policy, newest: RECENT_ANSWERS });
      const current = countingWork(history);
      return rules.flatMap((rule): Signal[] => {
        const setting = inForce.find((each) => each.id === rule.id);
        const finding = rule.judge(current, rule.params.parse(setting?.params ?? {}));
        if (!finding) return [];
        const { reason, isStrong, evidence } = finding;
        const isInForce = setting !== undefined;
        return [
          {
            stageId,
            rule: rule.id,
            title: rule.title,
            reason,
            isStrong,
            evidence: evidence.length,
            isInForce,
          },
        ];
      });
    }),
  );
  return found.flat();
}
