import { csvResponse } from '@/app/_ui/table/csv-response';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { methodOf } from '@/lib/services/training/report/changed-settings';
import { testsOf } from '@/lib/services/training/report/curves-of';
import { listRuns, type RunView } from '@/lib/services/training/runs/list-runs';

type Context = { params: Promise<{ project: string }> };

const PAGE = 200;
const head = [
  'id',
  'run',
  'version',
  'arch',
  'method',
  'preset',
  'seed',
  'state',
  'attack',
  'eps',
  'n',
  'correct',
  'accuracy',
  'low',
  'high',
  'seconds',
  'by',
  'at',
];

/** A row for each test of each run; a run without tests has one row. */
function rowsOf(run: RunView) {
  const { id, name, version, spec, state, by, at, startedAt, finishedAt } = run;
  const facts = [id, name, version, spec.model.arch, methodOf(spec), spec.preset, spec.train.seed, state];
  const seconds = startedAt && finishedAt ? (finishedAt.getTime() - startedAt.getTime()) / 1000 : null;
  const tests = testsOf(run.result);
  if (tests.length === 0) return [[...facts, null, null, null, null, null, null, null, seconds, by, at]];
  return tests.map(({ attack, eps, n, correct, accuracy, low, high }) => [
    ...facts,
    attack,
    Array.isArray(eps) ? eps.join(' ') : (eps ?? null),
    n,
    correct,
    accuracy,
    low,
    high,
    seconds,
    by,
    at,
  ]);
}

export async function GET(_: Request, { params }: Context): Promise<Response> {
  const { project } = await pageProject((await params).project);
  const rows = async function* () {
    for (let before: string | undefined; ; ) {
      const page = await listRuns(database(), { projectId: project.id, before, limit: PAGE });
      for (const run of page) yield* rowsOf(run);
      if (page.length < PAGE) return;
      before = page.at(-1)?.id;
    }
  };
  return csvResponse(`${project.slug}-runs`, head, rows());
}
