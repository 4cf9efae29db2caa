import { z } from 'zod';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { companionIds } from '@/lib/services/evaluations/evaluation-request';
import { whyNotComparable } from '@/lib/services/evaluations/leaderboard';
import {
  type EvaluationView,
  getEvaluation,
  listEvaluations,
} from '@/lib/services/evaluations/list-evaluations';
import { modelNames } from '@/lib/services/training/models';

const Asked = z.object({ a: z.uuid().optional().catch(undefined), b: z.uuid().optional().catch(undefined) });

/** Loads the two evaluations of a URL and the reasons why they are not comparable. */
export async function pageComparison(slug: string, params: unknown) {
  const access = await pageProject(slug);
  const db = database();
  const { a, b } = Asked.parse(params);
  const evaluations = await listEvaluations(db, { projectId: access.project.id });
  const find = async (id: string | undefined): Promise<EvaluationView | undefined> =>
    id === undefined
      ? undefined
      : (evaluations.find((each) => each.id === id) ??
        // Older than the list, or unknown.
        (await getEvaluation(db, { projectId: access.project.id, evaluationId: id }).catch(() => undefined)));
  const [first, second] = await Promise.all([find(a), find(b)]);
  const asked = [first, second].flatMap((each) => (each ? companionIds(each.options) : []));
  const names = await modelNames(db, access.project.id, asked);
  const why = first && second ? whyNotComparable(first, second, names) : [];
  return { access, evaluations, first, second, why, home: `/projects/${access.project.slug}` };
}
