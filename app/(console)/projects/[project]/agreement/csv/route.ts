import { notFound } from 'next/navigation';
import type { NextRequest } from 'next/server';
import { csvResponse } from '@/app/_ui/table/csv-response';
import { database } from '@/db';
import type { Estimate } from '@/lib/core/quality/agreement';
import { pageProject } from '@/lib/services/access/page';
import {
  type StageAgreement,
  stageAgreement,
  stagesWithAnswers,
} from '@/lib/services/curation/agreement/stage-agreement';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';

const head = ['stage', 'target', 'measure', 'value', 'low', 'high', 'n', 'reason'];

/** Every figure of the table by its name. */
function figuresOf(found: StageAgreement): { target: string; figures: Record<string, Estimate> }[] {
  if (found.kind === 'forms') return found.rows.map(({ target, ...figures }) => ({ target, figures }));
  return found.rows.map(({ target, detection, iou, boundaryIou, instances }) => ({
    target,
    figures: { detectionRaw: detection.raw, detectionAc1: detection.ac1, iou, boundaryIou, instances },
  }));
}

type Context = { params: Promise<{ project: string }> };

/** The agreement of a stage as rows: one for each figure of each attribute or part. */
export async function GET(request: NextRequest, { params }: Context): Promise<Response> {
  const { project } = await pageProject((await params).project);
  const db = database();
  const wanted = request.nextUrl.searchParams.get('stage');
  const stage = (await stagesWithAnswers(db, project.id)).find(({ id }) => id === wanted);
  if (!stage) notFound();
  const { name } = stage;
  const found = await stageAgreement(db, stage, await readProjectSchema(db, project.id));
  async function* rows() {
    for (const { target, figures } of figuresOf(found)) {
      for (const [measure, each] of Object.entries(figures)) {
        const ends = each.value === null ? [null, null] : [each.low, each.high];
        const reason = each.value === null ? each.reason : null;
        yield [name, target, measure, each.value, ...ends, each.n, reason];
      }
    }
  }
  return csvResponse(`${project.slug}-agreement`, head, rows());
}
