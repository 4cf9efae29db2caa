import { csvResponse } from '@/app/_ui/table/csv-response';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { listAudits } from '@/lib/services/curation/audit/samples';

const MAX_ROWS = 10_000;

const head = [
  'id',
  'drawn_at',
  'stage',
  'state',
  'population',
  'size',
  'judged',
  'wrong',
  'rate',
  'low',
  'high',
  'margin',
  'confidence',
  'seed',
  'by',
];

type Context = { params: Promise<{ project: string }> };

/** The sampled audits of a project, newest first; a sample of all stages has no stage. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { project } = await pageProject((await params).project, 'crowd.read');
  const audits = await listAudits(database(), project.id, MAX_ROWS);
  async function* rows() {
    for (const { rate, ...audit } of audits) {
      yield [
        ...[audit.id, audit.at, audit.stage, audit.state, audit.population, audit.size],
        ...[audit.judged, audit.wrong, rate?.value ?? null, rate?.low ?? null, rate?.high ?? null],
        ...[audit.margin, audit.confidence, audit.seed, audit.by],
      ];
    }
  }
  return csvResponse(`${project.slug}-samples`, head, rows());
}
