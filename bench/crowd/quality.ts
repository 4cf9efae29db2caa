import { parseArgs } from 'node:util';
import { type BehaviourName, behaviourNames, behaviours } from '@/lib/demo/simulation/behaviours';
import { castCrew, defaultMix } from '@/lib/demo/simulation/crew';
import { KnownScenes } from '@/lib/demo/simulation/known-scenes';
import { cloneDatabase, startTestServer } from '@/test/support/server';
import type { CareerRow, RunResult } from './outcome';
import { protocols, runProtocol } from './run-protocol';

type Row = [name: string, of: (run: RunResult) => number | null, text: (value: number) => string];

const plain = (digits: number) => (value: number) => value.toFixed(digits);
const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;

const isBad = ({ behaviour }: CareerRow) => behaviours[behaviour].isBad;
/** Workers and stages in which bad work was done. */
const badCareers = ({ careers }: RunResult) => careers.filter((row) => isBad(row) && row.badItems > 0);
const peopleIn = (rows: readonly CareerRow[]) => new Set(rows.map(({ worker }) => worker)).size;

function goodStopped({ careers }: RunResult): number {
  const good = careers.filter((row) => !isBad(row));
  return peopleIn(good.filter(({ isStopped }) => isStopped)) / peopleIn(good);
}

const rows: Row[] = [
  ['paid, USD', (run) => Number(run.costMicro) / 1e6, plain(0)],
  ['labels', (run) => run.labels, plain(0)],
  ['precision', (run) => run.precision, plain(3)],
  ['recall', (run) => run.recall, plain(3)],
  ['mean IoU', (run) => run.meanIou, plain(3)],
  ['wrong labels', (run) => run.wrong / run.labels, percent],
  ['**bad work that got through**', (run) => run.badLabels / run.labels, percent],
  ['bad items until the stop', (run) => mean(badCareers(run).map(({ badItems }) => badItems)), plain(1)],
  ['bad workers stopped', (run) => mean(badCareers(run).map((row) => Number(row.isStopped))), percent],
  ['good workers wrongly stopped', goodStopped, percent],
  ['paid per right label, USD', (run) => Number(run.costMicro) / 1e6 / (run.labels - run.wrong), plain(3)],
];

type Results = ReadonlyMap<string, readonly RunResult[]>;

/** Protocols side by side: the mean over the seeds, and each seed in brackets. */
function qualityTable(results: Results): string {
  const lines = rows.map(([name, of, text]) => {
    const cells = [...results.values()].map((runs) => {
      const values = runs.map((run) => of(run) ?? Number.NaN);
      return `${text(mean(values))} (${values.map(text).join(', ')})`;
    });
    return [name, ...cells];
  });
  return markdown(['', ...results.keys()], lines);
}

/** By behaviour: bad items until the stop in a stage, and how many of the workers and stages were stopped. */
function behaviourTable(results: Results): string {
  const lines = behaviourNames.map((name) => [
    name,
    ...[...results.values()].map((runs) =>
      behaviourCell(
        runs.flatMap(({ careers }) => careers),
        name,
      ),
    ),
  ]);
  return markdown(['', ...results.keys()], lines);
}

function behaviourCell(careers: readonly CareerRow[], name: BehaviourName): string {
  const own = careers.filter((row) => row.behaviour === name && (!isBad(row) || row.badItems > 0));
  const stopped = own.filter(({ isStopped }) => isStopped).length;
  const items = mean(own.map((row) => (isBad(row) ? row.badItems : row.items)));
  return `${stopped} of ${own.length} stopped, ${items.toFixed(0)} items`;
}

const markdown = (heading: string[], lines: string[][]): string =>
  [heading, heading.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/**
 * The quality experiment: the same crowd works for the same money under RIVAL10's protocol and under Tessera's
 * default, on the real services and a real PostgreSQL. Prints a table in Markdown.
 *
 *   npm run bench:crowd -- [--seeds 1,2,3] [--workers 14] [--dollars 300] [--json]
 */

// What the starter gives to the processes of the product: links to pictures are signed with it.
process.env.TESSERA_SECRET ??= 'a secret for benches, and for benches only';

const { values: options } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1,2,3' },
    workers: { type: 'string', default: '14' },
    dollars: { type: 'string', default: '300' },
    json: { type: 'boolean', default: false },
  },
});

const scenes = new KnownScenes('rival10');
const server = await startTestServer();
try {
  const results = new Map<string, RunResult[]>();
  for (const seed of options.seeds.split(',').map(Number)) {
    const crew = castCrew(defaultMix, Number(options.workers), seed);
    for (const protocol of protocols) {
      const { db, drop } = await cloneDatabase(server.adminUrl);
      const budgetMicro = BigInt(options.dollars) * 1_000_000n;
      const result = await runProtocol({ db, scenes, protocol, crew, budgetMicro });
      await drop();
      results.set(protocol.name, [...(results.get(protocol.name) ?? []), result]);
    }
    // A run takes minutes: what is known so far, for whoever waits.
    console.error(`After seed ${seed}:\n${qualityTable(results)}\n`);
  }
  const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  console.log(
    options.json
      ? JSON.stringify([...results], plain, 2)
      : `${qualityTable(results)}\n\n${behaviourTable(results)}`,
  );
} finally {
  await server.stop();
}
