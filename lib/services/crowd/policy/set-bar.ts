import { and, eq, sql } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import { type Actor, actorId } from '@/lib/core/actor';
import { invalid, notFound } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { effectivePolicy } from '../work/effective-policy';
import { barOf, type ExamBar, reaches } from './exam-bar';

const { decisions, exams, projects, stages } = tables;

export interface NewBar {
  projectId: string;
  stageId: string;
  bar: ExamBar;
  /** Those who sat the exam already and reach the new bar are let in. Nobody who passed is put out. */
  letsIn: boolean;
}

/** Sets the bar of a stage's exam. It counts for exams that end from now on. */
export async function setBar(db: Database, actor: Actor, input: NewBar): Promise<{ letIn: number }> {
  const { projectId, stageId, bar } = input;
  return db.transaction(async (tx) => {
    const [found] = await tx
      .select({ stage: stages, projectPolicy: projects.policy })
      .from(stages)
      .innerJoin(projects, eq(projects.id, stages.projectId))
      .where(and(eq(stages.id, stageId), eq(stages.projectId, projectId)))
      // Whoever ends work of the stage, and only refers to it, does not wait: we wait for their exams.
      .for('no key update', { of: stages });
    if (!found) throw notFound('stage');
    const { stage, projectPolicy } = found;
    const before = barOf(stage.kind, effectivePolicy(projectPolicy, stage.policy));
    if (before?.kind !== bar.kind) throw invalid('This stage has no exam with such a bar.');
    const policy = withBar(stage.policy, bar);
    effectivePolicy(projectPolicy, policy);
    await tx.update(stages).set({ policy }).where(eq(stages.id, stageId));
    const letIn = input.letsIn ? await letInWhoReaches(tx, actor, input) : 0;
    await record(tx, {
      actor,
      verb: 'exam.set-bar',
      subject: 'stage',
      subjectId: stageId,
      projectId,
      detail: { from: before, to: bar, letIn },
    });
    return { letIn };
  });
}

function withBar(policy: Record<string, unknown>, bar: ExamBar): Record<string, unknown> {
  const own = (name: string) => (policy[name] ?? {}) as Record<string, unknown>;
  return bar.kind === 'masks'
    ? { ...policy, maskExam: { ...own('maskExam'), minMeanIou: bar.iou } }
    : {
        ...policy,
        attributeExam: {
          ...own('attributeExam'),
          minPrecision: bar.precision,
          minRecall: bar.recall,
        },
      };
}

/** Of each worker who has not passed, the best that reaches the bar becomes a pass, with a decision that says why. */
async function letInWhoReaches(tx: Transaction, actor: Actor, { projectId, stageId, bar }: NewBar) {
  const sat = await tx
    .select()
    .from(exams)
    .where(and(eq(exams.stageId, stageId), sql`${exams.passed} is not null`))
    .orderBy(exams.id)
    .for('no key update');
  const inAlready = new Set(sat.filter((exam) => exam.passed).map((exam) => exam.workerId));
  const byWorker = new Map(
    sat
      .filter((exam) => !inAlready.has(exam.workerId) && reaches(bar, exam))
      .map((exam) => [exam.workerId, exam]),
  );
  for (const exam of byWorker.values()) {
    await tx.update(exams).set({ passed: true }).where(eq(exams.id, exam.id));
    await tx.insert(decisions).values({
      projectId,
      subject: 'exam',
      subjectId: exam.id,
      verdict: 'passed',
      reason: 'The bar of the exam was set anew, and your result reaches it.',
      evidence: [exam.id],
      decidedBy: actorId(actor),
    });
  }
  return byWorker.size;
}
