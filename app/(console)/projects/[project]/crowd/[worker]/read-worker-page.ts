import type { Database, tables } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import type { UserActor } from '@/lib/services/access';
import { type CrowdStage, crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import { getWorker } from '@/lib/services/crowd/overview/get-worker';
import {
  workerDecisions,
  workerEvidence,
  workerSignals,
} from '@/lib/services/crowd/overview/worker-evidence';
import {
  examAttempts,
  workerChecks,
  workerStages,
  workerTimes,
} from '@/lib/services/crowd/overview/worker-stages';
import { costOfAskingAgain } from '@/lib/services/crowd/trust';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';

type Project = Pick<typeof tables.projects.$inferSelect, 'id' | 'policy'>;

/**
 * Loads the page of a worker; null for a user who never worked in the project. The number of SQL statements depends
 * only on the number of stages.
 */
export async function readWorkerPage(db: Database, actor: UserActor, project: Project, workerId: string) {
  const person = await getWorker(db, project.id, workerId).catch(missing);
  if (!person) return null;
  const schema = await readProjectSchema(db, project.id);
  const [stages, work, checks, decisions, times, exams] = await Promise.all([
    crowdStages(db, project),
    workerStages(db, project.id, workerId),
    workerChecks(db, project.id, workerId),
    workerDecisions(db, project.id, workerId),
    workerTimes(db, project.id, workerId),
    examAttempts(db, project.id, { options: schema?.attributes.length ?? 0, workerId }),
  ]);
  const busy = stages.filter((stage) => work.some((each) => each.stageId === stage.id && each.items > 0));
  const [signals, evidence, again] = await Promise.all([
    workerSignals(db, { projectId: project.id, workerId, stages: busy }),
    workerEvidence(db, { projectId: project.id, workerId, stages: busy }),
    Promise.all(
      busy.map(
        async ({ id }) => [id, await costOfAskingAgain(db, actor, { stageId: id, workerId })] as const,
      ),
    ),
  ]);
  const names = new Map(
    [...(schema?.attributes ?? []), ...(schema?.parts ?? [])].map(({ id, name }) => [id, name]),
  );
  return {
    person,
    stages,
    work,
    checks,
    decisions,
    times,
    exams,
    signals,
    evidence,
    again: new Map(again),
    nameOf: (target: string) => names.get(target) ?? target,
    barOfStage: ({ kind, policy }: CrowdStage) =>
      kind.endsWith('mask') ? policy.maskExam.minMeanIou : undefined,
  };
}

export type WorkerPage = NonNullable<Awaited<ReturnType<typeof readWorkerPage>>>;

function missing(error: unknown): null {
  if (error instanceof TesseraError && error.kind === 'not-found') return null;
  throw error;
}
