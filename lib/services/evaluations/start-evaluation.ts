import { and, eq, inArray } from 'drizzle-orm';
import { type Database, type Db, newId, tables } from '@/db';
import type { ModelKind } from '@/db/schema';
import { actorId } from '@/lib/core/actor';
import { invalid } from '@/lib/core/errors';
import { type Actor, authorise } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { findVersion } from '@/lib/services/datasets/versions/open-version';
import { enqueue } from '@/lib/services/jobs';
import { getModel } from '@/lib/services/training/models';
import { openOracleStage } from './crowd/oracle-stage';
import { EvaluationOptions, isPlainGenerator, type NewEvaluation } from './evaluation-request';
import { resolveSplit } from './select-images';

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
  resolveSplit(evaluation.split, splitsOf(version.card));
  const oracle = await checkOracleModels(db, { projectId, model, oracle: evaluation.oracle });
  await checkGenerator(db, { projectId, generator: evaluation.generator });
  if (suite === 'fmr' && oracle.length === 0 && !evaluation.crowd)
    throw invalid('The suite "fmr" needs an oracle. Choose oracle models or a crowd stage.');
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

/** A crowd oracle costs money and needs the right to manage the crowd. */
async function checkCrowd(
  db: Db,
  actor: Actor,
  { projectId, stageId, evaluation }: { projectId: string; stageId: string; evaluation: NewEvaluation },
): Promise<void> {
  await authorise(db, actor, 'crowd.manage', { project: projectId });
  if (evaluation.suite !== 'fmr')
    throw invalid(
      'A crowd oracle is only available for the suite "fmr". Choose that suite or remove the crowd stage.',
    );
  if (evaluation.oracle.length > 0) throw invalid('Choose either oracle models or a crowd stage, not both.');
  await openOracleStage(db, { projectId, stageId });
}

/** Splits from the card of the version. */
const splitsOf = (card: Record<string, unknown>): string[] =>
  Object.keys((card as { counts?: { bySplit?: Record<string, number> } }).counts?.bySplit ?? {});

const { models } = tables;

/** Only classifiers can be evaluated. */
function requireClassifier({ name, kind }: { name: string; kind: ModelKind }): void {
  if (kind !== 'classifier')
    throw invalid(
      `"${name}" is ${kind === 'oracle' ? 'an oracle' : 'a decoder'} and cannot be evaluated. Choose a classifier and use this model as ${kind === 'oracle' ? 'its oracle' : 'generator'}.`,
    );
}

/** Checks that the generator is a decoder of the project, unless it is built in. */
async function checkGenerator(
  db: Db,
  { projectId, generator }: { projectId: string; generator: string },
): Promise<void> {
  if (isPlainGenerator(generator)) return;
  const [found] = await db
    .select({ name: models.name, kind: models.kind })
    .from(models)
    .where(and(eq(models.projectId, projectId), eq(models.id, generator)));
  if (!found) throw invalid('The generator is not a model of this project. Choose a decoder of the project.');
  if (found.kind !== 'decoder')
    throw invalid(`"${found.name}" is not a decoder. Choose a decoder, search or squares as generator.`);
}

/** Checks that the oracle models exist, are distinct and are not the evaluated model. Returns them sorted. */
export async function checkOracleModels(
  db: Db,
  {
    projectId,
    model,
    oracle,
  }: { projectId: string; model: { id: string; sha256: string }; oracle: readonly string[] },
): Promise<string[]> {
  if (oracle.length === 0) return [];
  const oracleIds = new Set(oracle);
  if (oracleIds.size < oracle.length)
    throw invalid('An oracle model is listed twice. Choose different models.');
  const found = await db
    .select({ id: models.id, name: models.name, blob: models.blob, kind: models.kind })
    .from(models)
    .where(and(eq(models.projectId, projectId), inArray(models.id, [...oracleIds])));
  if (found.length < oracleIds.size)
    throw invalid('An oracle model does not exist in this project. Choose models of the project.');
  const drawing = found.find(({ kind }) => kind === 'decoder');
  if (drawing)
    throw invalid(`"${drawing.name}" is a decoder and cannot be an oracle. Choose it as generator instead.`);
  const itself = found.find(({ id, blob }) => id === model.id || blob === model.sha256);
  if (itself) throw invalid(`"${itself.name}" is the evaluated model. Choose other models as oracle.`);
  return [...oracleIds].sort();
}
