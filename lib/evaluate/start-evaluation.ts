import { type Database, newId, tables } from '@/db';
import { record } from '@/lib/audit';
import { type Author, actorId } from '@/lib/auth/actor';
import { findVersion } from '@/lib/datasets/versions/find-version';
import { enqueue } from '@/lib/jobs';
import { getModel } from '@/lib/training/models/list-models';
import { EvaluationOptions, type NewEvaluation } from './new-evaluation';

const { evaluations } = tables;

export const EVALUATE_JOB = 'evaluate-model';

export async function startEvaluation(
  db: Database,
  actor: Author,
  { projectId, evaluation }: { projectId: string; evaluation: NewEvaluation },
): Promise<{ id: string; jobId: string }> {
  const version = await findVersion(db, { projectId, version: evaluation.version });
  const model = await getModel(db, { projectId, modelId: evaluation.model });
  const { suite } = evaluation;
  const options = EvaluationOptions.strip().parse(evaluation);
  return db.transaction(async (tx) => {
    const id = newId();
    const jobId = await enqueue(
      tx,
      EVALUATE_JOB,
      { evaluationId: id },
      { title: `Evaluate ${model.name}`, projectId, startedBy: actorId(actor) },
    );
    await tx.insert(evaluations).values({
      id,
      projectId,
      versionId: version.id,
      modelId: model.id,
      suite,
      options,
      jobId,
      createdBy: actorId(actor),
    });
    await record(tx, {
      actor,
      verb: 'evaluation.start',
      subject: 'evaluation',
      subjectId: id,
      projectId,
      detail: { model: model.name, version: version.number, suite, preset: options.preset },
    });
    return { id, jobId };
  });
}
