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

/** Has the models of comparable evaluations shown the pictures that were driven away from each of them. */
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
        title: `Show ${found.length} models each other’s pictures`,
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

/** Models that are open at the same time, each in a process of its own. */
export const MAX_MODELS = 6;

/** Evaluations of a board whose models can be shown each other's pictures, highest FMR first. */
export const selectTransferModels = (board: Pick<Board, 'entries' | 'options'>): EvaluationView[] =>
  // People judged the pictures of one model: nobody may be asked again in their place.
  board.options.crowd ? [] : sortByFmr(board).slice(0, MAX_MODELS);

/** The evaluations that were named, in this order; refused where they are not of one kind. */
export async function loadTransferEvaluations(
  db: Db,
  { projectId, ids }: { projectId: string; ids: readonly string[] },
): Promise<EvaluationView[]> {
  if (ids.length < 2 || ids.length > MAX_MODELS)
    throw invalid(`Name two to ${MAX_MODELS} evaluations of different models.`);
  const found: EvaluationView[] = [];
  for (const evaluationId of ids) found.push(await getEvaluation(db, { projectId, evaluationId }));
  const [first, ...others] = found as [EvaluationView, ...EvaluationView[]];
  const [why] = others.flatMap((other) => whyNotComparable(first, other));
  if (why)
    throw invalid(
      `These evaluations cannot be held against each other. ${why} Only the model may differ: evaluate it with the same settings.`,
    );
  if (selectTransferModels({ entries: found, options: first.options }).length < found.length)
    throw invalid(
      'Pictures are driven away from a model by the suite "fmr" with other models as oracle: evaluate each model with it.',
    );
  if (new Set(found.map(({ modelId }) => modelId)).size < found.length)
    throw invalid('A model is named twice: its own pictures it has seen. Name one evaluation of each.');
  return found;
}

/** Pictures of each model, and how often the models are asked at most: to make them again, and to look at the others'. */
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
