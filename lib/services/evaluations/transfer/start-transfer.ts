import type { Database, Db } from '@/db';
import { actorId } from '@/lib/core/actor';
import { invalid } from '@/lib/core/errors';
import { planChainVariant } from '@/lib/core/robustness/suites/fmr';
import { type Actor, authorise } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { enqueue } from '@/lib/services/jobs';
import { isPlainGenerator } from '../evaluation-request';
import { type Board, findFinding, sortByFmr, whyNotComparable } from '../leaderboard';
import { type EvaluationView, getEvaluation } from '../list-evaluations';

export const TRANSFER_JOB = 'transfer-pictures';

/** Enqueues the transfer evaluation of comparable FMR evaluations. */
export async function startTransfer(
  db: Database,
  actor: Actor,
  { projectId, ids }: { projectId: string; ids: readonly string[] },
): Promise<{ jobId: string }> {
  await authorise(db, actor, 'evaluations.write', { project: projectId });
  const found = await loadTransferEvaluations(db, { projectId, ids });
  return db.transaction(async (tx) => {
    const jobId = await enqueue(
      tx,
      TRANSFER_JOB,
      { projectId, evaluationIds: found.map(({ id }) => id) },
      {
        title: `Transfer between ${found.length} models`,
        projectId,
        startedBy: actorId(actor),
      },
    );
    for (const { id, model } of found)
      await record(tx, {
        actor,
        verb: 'evaluation.transfer',
        subject: 'evaluation',
        subjectId: id,
        projectId,
        detail: { model, models: found.length },
      });
    return { jobId };
  });
}

/** Maximum number of models opened at the same time. */
export const MAX_MODELS = 6;

/** Evaluations of a leaderboard that can be transferred, highest FMR first. */
export const selectTransferModels = (board: Pick<Board, 'entries' | 'options'>): EvaluationView[] =>
  // Crowd verdicts exist for the pictures of one model only.
  board.options.crowd ? [] : sortByFmr(board).slice(0, MAX_MODELS);

/** Loads the evaluations in order. Throws if they are not comparable FMR evaluations. */
export async function loadTransferEvaluations(
  db: Db,
  { projectId, ids }: { projectId: string; ids: readonly string[] },
): Promise<EvaluationView[]> {
  if (ids.length < 2 || ids.length > MAX_MODELS)
    throw invalid(`Choose two to ${MAX_MODELS} evaluations of different models.`);
  const found: EvaluationView[] = [];
  for (const evaluationId of ids) found.push(await getEvaluation(db, { projectId, evaluationId }));
  const [first, ...others] = found as [EvaluationView, ...EvaluationView[]];
  const [why] = others.flatMap((other) => whyNotComparable(first, other));
  if (why)
    throw invalid(`These evaluations are not comparable. ${why} Evaluate the models with the same settings.`);
  if (selectTransferModels({ entries: found, options: first.options }).length < found.length)
    throw invalid('Transfer needs the suite "fmr" with oracle models. Evaluate each model with it.');
  if (new Set(found.map(({ modelId }) => modelId)).size < found.length)
    throw invalid('A model is listed twice. Choose one evaluation per model.');
  return found;
}

/** Number of examples per model and maximum number of model runs. */
export function estimateTransferRuns(evaluations: readonly EvaluationView[]): {
  pictures: number;
  runs: number;
} {
  const [first] = evaluations;
  if (!first) return { pictures: 0, runs: 0 };
  const { preset, generator } = first.options;
  const { runs } = planChainVariant({
    preset,
    generator: isPlainGenerator(generator) ? { id: generator } : { id: 'decoder', step: 1 },
    offers: { gradient: false, oracle: true, features: false },
  });
  const pictures = findFinding(first, 'fmr-validation-rate')?.n ?? 0;
  const models = evaluations.length;
  return { pictures, runs: models * pictures * (runs + models - 1) };
}
