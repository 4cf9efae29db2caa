import { and, desc, eq } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type Database, type Db, tables } from '@/db';
import { type Confirmation, explainConfirmation } from '@/lib/core/quality/confirmation';
import { countingWork, RECENT_ANSWERS } from '@/lib/core/quality/history';
import { type Explained, explainEvidence } from '@/lib/core/quality/next-step';
import { rules } from '@/lib/core/quality/rules';
import { readHistory } from '../trust/read-history';
import { readReliability } from '../trust/read-reliability';
import { rulesInForce } from '../trust/rules-in-force';
import type { CrowdStage } from './crowd-stages';

const { appeals, decisions, users } = tables;

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

const deciders = alias(users, 'deciders');
const answerers = alias(users, 'answerers');

/** What was decided about a worker in a project and what they said to it, newest first. */
export async function workerDecisions(db: Db, projectId: string, workerId: string) {
  const rows = await db
    .select({
      id: decisions.id,
      stageId: decisions.stageId,
      verdict: decisions.verdict,
      target: decisions.target,
      reason: decisions.reason,
      rule: decisions.rule,
      ruleVersion: decisions.ruleVersion,
      evidence: decisions.evidence,
      decidedBy: deciders.name,
      at: decisions.createdAt,
      appeal: {
        id: appeals.id,
        text: appeals.text,
        outcome: appeals.outcome,
        reply: appeals.reply,
        answeredAt: appeals.answeredAt,
        at: appeals.createdAt,
      },
      answeredBy: answerers.name,
    })
    .from(decisions)
    .leftJoin(appeals, eq(appeals.decisionId, decisions.id))
    .leftJoin(deciders, eq(deciders.id, decisions.decidedBy))
    .leftJoin(answerers, eq(answerers.id, appeals.answeredBy))
    .where(
      and(
        eq(decisions.projectId, projectId),
        eq(decisions.subject, 'worker'),
        eq(decisions.subjectId, workerId),
      ),
    )
    .orderBy(desc(decisions.id));
  return rows.map(({ appeal, answeredBy, ...row }) => ({
    ...row,
    appeal: appeal && { ...appeal, answeredBy },
  }));
}

export type WorkerDecision = Awaited<ReturnType<typeof workerDecisions>>[number];
