import { notFound } from 'next/navigation';
import type { NextRequest } from 'next/server';
import { csvResponse } from '@/app/_ui/table/csv-response';
import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { looksLikeId } from '@/lib/services/access';
import { pageProject } from '@/lib/services/access/page';
import { compareWorkers } from '@/lib/services/curation/overview/compare-workers';
import { measuresOf } from '../measures';

const head = ['stage', 'measure', 'worker', 'value', 'low', 'high', 'n'];

type Context = { params: Promise<{ project: string }> };

/** The comparison as rows: one for each figure of each person. */
export async function GET(request: NextRequest, { params }: Context): Promise<Response> {
  const { project } = await pageProject((await params).project, 'crowd.read');
  const { searchParams } = request.nextUrl;
  const [a, b] = [searchParams.get('a') ?? '', searchParams.get('b') ?? ''];
  if (!looksLikeId(a) || !looksLikeId(b)) notFound();
  const { people, stages } = await compareWorkers(database(), project, [a, b]).catch((error) => {
    if (error instanceof TesseraError && error.kind === 'not-found') notFound();
    throw error;
  });
  async function* rows() {
    for (const { stage, name, sides } of measuresOf(stages)) {
      for (const [n, side] of sides.entries()) {
        if (side) yield [stage, name, people[n]?.name ?? '', side.value, side.low, side.high, side.n];
      }
    }
  }
  return csvResponse(`${project.slug}-comparison`, head, rows());
}
