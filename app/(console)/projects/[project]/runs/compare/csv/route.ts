import { csvResponse } from '@/app/_ui/table/csv-response';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { compareRuns } from '@/lib/services/training/report/compare-runs';
import { changeWords } from '../../run-words';

type Context = { params: Promise<{ project: string }> };

const attacks = ['clean', 'pgd', 'autoattack'] as const;
const head = [
  'version',
  'preset',
  'arch',
  'method',
  'changed',
  'seeds',
  ...attacks.flatMap((name) => [name, `${name}_low`, `${name}_high`, `${name}_n`]),
];

/** The table of the page, a line for each row. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  const { project } = await pageProject((await params).project);
  const { rows } = await compareRuns(database(), { projectId: project.id });
  const lines = async function* () {
    for (const row of rows)
      yield [
        row.version,
        row.preset,
        row.arch,
        row.method,
        changeWords(row),
        row.runs.length,
        ...attacks.flatMap((name) => {
          const mean = row[name];
          return mean ? [mean.value, mean.low, mean.high, mean.n] : [null, null, null, null];
        }),
      ];
  };
  return csvResponse(`${project.slug}-runs-compared`, head, lines());
}
