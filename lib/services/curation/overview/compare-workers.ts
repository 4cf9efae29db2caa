import type { Db, tables } from '@/db';
import type { Estimate } from '@/lib/core/quality/agreement';
import { type Trust, trustOf } from '@/lib/core/quality/trust';
import { type CrowdStage, crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import { getWorker } from '@/lib/services/crowd/overview/get-worker';
import { type WorkerCheck, workerChecks } from '@/lib/services/crowd/overview/worker-checks';
import { type WorkerStageWork, workerStages } from '@/lib/services/crowd/overview/worker-stages';
import { sharedAnswers } from './shared-answers';

type Project = Pick<typeof tables.projects.$inferSelect, 'id' | 'policy'>;

/** One person's side of a comparison, in one stage. */
export interface Side {
  work: WorkerStageWork | undefined;
  /** From all scored checks, exams included; null without any. */
  trust: Trust | null;
  byTarget: Record<string, Trust>;
}

export interface ComparedStage {
  stage: CrowdStage;
  sides: readonly [Side, Side];
  /** How alike they answer what both answered. */
  alike: Estimate | null;
}

/** Two workers side by side. A fixed number of statements. */
export async function compareWorkers(db: Db, project: Project, ids: readonly [string, string]) {
  const [stages, alike, ...read] = await Promise.all([
    crowdStages(db, project),
    sharedAnswers(db, project.id, ids),
    readOne(db, project.id, ids[0]),
    readOne(db, project.id, ids[1]),
  ]);
  const compared = stages
    .map(
      (stage): ComparedStage => ({
        stage,
        sides: [sideOf(stage, read[0]), sideOf(stage, read[1])],
        alike: alike.get(stage.id) ?? null,
      }),
    )
    .filter(({ sides }) => sides.some(({ trust, work }) => trust || work?.items));
  return { people: [read[0].person, read[1].person] as const, stages: compared };
}

export type Comparison = Awaited<ReturnType<typeof compareWorkers>>;

type One = Awaited<ReturnType<typeof readOne>>;

async function readOne(db: Db, projectId: string, workerId: string) {
  const person = await getWorker(db, projectId, workerId);
  const [work, checks] = await Promise.all([
    workerStages(db, projectId, workerId),
    workerChecks(db, projectId, workerId),
  ]);
  return { person, work, checks };
}

function sideOf(stage: CrowdStage, { work, checks }: One): Side {
  const own = checks.filter((check) => check.stageId === stage.id).map(scored);
  const trust = trustOf(own);
  return {
    work: work.find(({ stageId }) => stageId === stage.id),
    trust: own.length > 0 ? trust.all : null,
    byTarget: trust.byTarget,
  };
}

const scored = ({ target, passed, score }: WorkerCheck) => ({
  target,
  passed: passed ?? false,
  score: score ?? {},
});
