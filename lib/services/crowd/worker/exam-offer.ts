import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { requireScope, type UserActor } from '@/lib/services/access';
import { examMistakes } from '../exams/exam-mistakes';
import { examSettings } from '../exams/exam-settings';
import { effectivePolicy } from '../work/effective-policy';
import { type Gate, gateTo } from '../work/gate';
import { drawsMasks } from '../work/pay-for';
import { workerFacts } from '../work/worker-facts';
import { type Measure, measuresOf } from './stage-scores';
import { termsOf } from './terms';

const { batches, exams } = tables;

const nothing = { precision: null, recall: null, meanIou: null };

/** All that a worker should know before an exam, and how earlier attempts went. */
export async function examOffer(db: Db, actor: UserActor, input: { projectId: string; stageId: string }) {
  requireScope(actor, 'work.read');
  const [facts] = await workerFacts(
    db,
    actor.userId,
    sql`s.id = ${input.stageId} and p.id = ${input.projectId}`,
  );
  if (!facts) throw notFound('stage');
  const policy = effectivePolicy(facts.projectPolicy, facts.stagePolicy);
  const settings = examSettings(policy, facts.stageKind);
  if (!settings?.isRequired) throw notFound('exam');
  const draws = drawsMasks(facts.stageKind);
  const now = new Date();
  const isOpen = (gate: Gate | null) => gate === null;
  const stage = { id: facts.stageId, projectId: facts.projectId, kind: facts.stageKind, policy };
  const terms = (await termsOf(db, actor.userId, [stage])).get(facts.stageId);
  const results = await resultsOf(db, actor.userId, facts.stageId, (scores) =>
    measuresOf(facts.stageKind, policy, scores),
  );
  const [newest] = results;
  return {
    stage: { id: facts.stageId, name: facts.stageName, kind: facts.stageKind },
    items: settings.size,
    isAdaptive: settings.isAdaptive,
    bars: measuresOf(facts.stageKind, policy, nothing).map(({ name, bar }) => ({ name, bar })),
    pay: {
      amountMicro: BigInt(draws ? policy.pay.maskExam : policy.pay.attributeExam),
      currency: policy.pay.currency,
    },
    /** How long the exam takes, and what the work pays afterwards. */
    terms: terms ?? null,
    attempts: settings.attempts,
    attemptsLeft: Math.max(0, settings.attempts - facts.attempts),
    waitHours: settings.waitHours,
    hasPassed: facts.examPassed,
    /** Why the exam cannot be taken now; null when it can. */
    gate: gateTo('exam', facts, policy, now),
    practice: {
      items: settings.practice,
      isDone: facts.practised,
      isOpen: isOpen(gateTo('practice', facts, policy, now)),
    },
    openBatch: await openBatchOf(db, actor.userId, facts.stageId),
    results,
    /** Of the newest attempt, if it was not passed. */
    mistakes:
      newest && !newest.passed
        ? await examMistakes(db, {
            batchId: newest.batchId,
            workerId: actor.userId,
            stageKind: facts.stageKind,
          })
        : [],
  };
}

export type ExamOffer = Awaited<ReturnType<typeof examOffer>>;

async function openBatchOf(db: Db, workerId: string, stageId: string) {
  const [open] = await db
    .select({ id: batches.id, kind: batches.kind })
    .from(batches)
    .where(and(eq(batches.workerId, workerId), eq(batches.stageId, stageId), eq(batches.state, 'leased')));
  return open ?? null;
}

async function resultsOf(
  db: Db,
  workerId: string,
  stageId: string,
  measures: (scores: typeof exams.$inferSelect) => Measure[],
) {
  const rows = await db
    .select()
    .from(exams)
    .where(and(eq(exams.workerId, workerId), eq(exams.stageId, stageId), isNotNull(exams.finishedAt)))
    .orderBy(desc(exams.attempt));
  return rows.map((exam) => ({
    batchId: exam.batchId,
    attempt: exam.attempt,
    at: exam.finishedAt as Date,
    passed: exam.passed === true,
    measures: measures(exam),
  }));
}
