import type { Db } from '@/db';
import { invalid } from '@/lib/core/errors';
import { whyNotComparable } from '../comparable';
import { type Board, byFmr } from '../leaderboard';
import { type EvaluationView, getEvaluation } from '../list-evaluations';

/** Models that are open at the same time, each in a process of its own. */
export const MOST_MODELS = 6;

/** Evaluations of a board whose models can be shown each other's pictures, highest FMR first. */
export const exchanging = (board: Pick<Board, 'entries' | 'options'>): EvaluationView[] =>
  // People judged the pictures of one model: nobody may be asked again in their place.
  board.options.crowd ? [] : byFmr(board).slice(0, MOST_MODELS);

/** The evaluations that were named, in this order; refused where they are not of one kind. */
export async function transferable(
  db: Db,
  { projectId, ids }: { projectId: string; ids: readonly string[] },
): Promise<EvaluationView[]> {
  if (ids.length < 2 || ids.length > MOST_MODELS)
    throw invalid(`Name two to ${MOST_MODELS} evaluations of different models.`);
  const found: EvaluationView[] = [];
  for (const evaluationId of ids) found.push(await getEvaluation(db, { projectId, evaluationId }));
  const [first, ...others] = found as [EvaluationView, ...EvaluationView[]];
  const [why] = others.flatMap((other) => whyNotComparable(first, other));
  if (why)
    throw invalid(
      `These evaluations cannot be held against each other. ${why} Only the model may differ: evaluate it with the same settings.`,
    );
  if (exchanging({ entries: found, options: first.options }).length < found.length)
    throw invalid(
      'Pictures are driven away from a model by the suite "fmr" with other models as oracle: evaluate each model with it.',
    );
  if (new Set(found.map(({ modelId }) => modelId)).size < found.length)
    throw invalid('A model is named twice: its own pictures it has seen. Name one evaluation of each.');
  return found;
}
