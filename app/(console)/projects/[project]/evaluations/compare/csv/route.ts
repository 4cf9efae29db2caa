import { notFound } from 'next/navigation';
import { csvResponse } from '@/app/_ui/table/csv-response';
import { database } from '@/db';
import { compareEvaluations } from '@/lib/services/evaluations/compare-evaluations';
import { pageComparison } from '../page-comparison';

type Context = { params: Promise<{ project: string }> };

/** Differences as CSV. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const asked = Object.fromEntries(new URL(request.url).searchParams);
  const { access, first, second, why } = await pageComparison((await params).project, asked);
  if (!first || !second || why.length > 0) notFound();
  const { differences } = await compareEvaluations(database(), { a: first, b: second });
  const lines = async function* () {
    for (const { id, name, first: a, second: b, difference, low, high, n } of differences)
      yield [id, name, a, b, difference, low, high, n];
  };
  const head = ['id', 'number', first.model, second.model, 'difference', 'low', 'high', 'n'];
  return csvResponse(`${access.project.slug}-compared`, head, lines());
}
