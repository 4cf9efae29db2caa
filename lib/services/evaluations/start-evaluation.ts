import { type Database, type Db, newId, tables } from '@/db';
import { actorId } from '@/lib/core/actor';
import { invalid } from '@/lib/core/errors';
import { type Actor, authorise } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { findVersion } from '@/lib/services/datasets/versions/open-version';
import { enqueue } from '@/lib/services/jobs';
import { getModel } from '@/lib/services/training/models/list-models';
import { checkGenerator, requireClassifier } from './checked-generator';
import { checkedOracle } from './checked-oracle';
import { chosenSplit } from './chosen-split';
import { openOracleStage } from './crowd/oracle-stage';
import { EvaluationOptions, type NewEvaluation } from './new-evaluation';

const { evaluations } = tables;

export const EVALUATE_JOB = 'evaluate-model';

export async function startEvaluation(
  db: Database,
  actor: Actor,
  { projectId, evaluation }: { projectId: string; evaluation: NewEvaluation },
): Promise<{ id: string; jobId: string }> {
  const version = await findVersion(db, { projectId, version: evaluation.version });
  const model = await getModel(db, { projectId, modelId: evaluation.model });
  requireClassifier(model);
  const { suite } = evaluation;
  chosenSplit(evaluation.split, splitsOf(version.card));
  const oracle = await checkedOracle(db, { projectId, model, oracle: evaluation.oracle });
  await checkGenerator(db, { projectId, generator: evaluation.generator });
  if (suite === 'fmr' && oracle.length === 0 && !evaluation.crowd)
    throw invalid('The suite "fmr" needs an oracle: name models that judge, or a stage in which people do.');
  if (evaluation.crowd) await checkCrowd(db, actor, { projectId, stageId: evaluation.crowd, evaluation });
  const options = EvaluationOptions.strip().parse({ ...evaluation, oracle });
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

/** Asking people costs money: who may not spend it cannot name them. */
async function checkCrowd(
  db: Db,
  actor: Actor,
  { projectId, stageId, evaluation }: { projectId: string; stageId: string; evaluation: NewEvaluation },
): Promise<void> {
  await authorise(db, actor, 'crowd.manage', { project: projectId });
  if (evaluation.suite !== 'fmr')
    throw invalid('People are the oracle of the suite "fmr": choose that suite, or leave the crowd out.');
  if (evaluation.oracle.length > 0) throw invalid('Either models or the crowd judge: leave one of them out.');
  await openOracleStage(db, { projectId, stageId });
}

/** As the card of the version counts them. */
const splitsOf = (card: Record<string, unknown>): string[] =>
  Object.keys((card as { counts?: { bySplit?: Record<string, number> } }).counts?.bySplit ?? {});
