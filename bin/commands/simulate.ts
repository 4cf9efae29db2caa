import { readConfig } from '@/lib/config';
import { demoPassword, demoPeople } from '@/lib/demo/people';
import { behaviourNames } from '@/lib/demo/simulation/behaviours';
import { defaultMix, parseMix } from '@/lib/demo/simulation/crew';
import type { SimulationReport } from '@/lib/demo/simulation/http/report';
import { type SignIn, simulate } from '@/lib/demo/simulation/http/simulate';
import { defineCommand, json, readCount, UsageError } from '../command';
import { remoteOptions } from '../remote';
import { bold, columns, noProgress, print, table, terminalProgress } from '../terminal';

export const command = defineCommand({
  options: {
    workers: { type: 'string', value: 'number', description: 'How many simulated workers (default 20).' },
    seconds: { type: 'string', value: 'number', description: 'For how long they work at most (default 60).' },
    mix: {
      type: 'string',
      value: 'careful=5,…',
      description: `Parts of the crowd: ${behaviourNames.join(', ')}.`,
    },
    seed: {
      type: 'string',
      value: 'number',
      description: 'Random seed (default 1): the same crew gives the same answers.',
    },
    project: { type: 'string', value: 'slug', description: 'The project (default rival10-demo).' },
    accelerate: { type: 'boolean', description: 'Without the time that a person needs for an item.' },
    ...remoteOptions,
    json,
  },
  async run(values) {
    const mix = values.mix === undefined ? defaultMix : parseMix(values.mix);
    if (!mix)
      throw new UsageError(`--mix takes parts like careful=5,spammer=1 of ${behaviourNames.join(', ')}.`);
    const { url, curator } = await whereAndWho(values);
    const step = (values.json ? noProgress : terminalProgress()).begin('Simulating workers');
    const report = await simulate({
      url,
      curator,
      project: values.project ?? 'rival10-demo',
      workers: readCount('workers', values.workers, 20),
      seconds: readCount('seconds', values.seconds, 60),
      mix,
      seed: readCount('seed', values.seed, 1),
      speed: values.accelerate ? Number.POSITIVE_INFINITY : 1,
      onProgress: (text) => step.update(text),
    }).catch((error) => {
      step.failed();
      throw error;
    });
    step.done('Simulation finished');
    print(values.json, report, () => simulationText(report));
    return report.errors.count + report.doubles + report.repeats > 0 ? 1 : 0;
  },
});

/** The demo curator on this machine; the owner of the API key on a remote instance. */
async function whereAndWho(values: {
  url?: string;
  key?: string;
}): Promise<{ url: string; curator: SignIn }> {
  const config = readConfig();
  if (!values.url) {
    const curator = { email: demoPeople.curator.email, password: await demoPassword() };
    return { url: config.url, curator };
  }
  const key = values.key ?? config.TESSERA_KEY;
  if (!key)
    throw new UsageError(
      'A remote instance requires the API key of a curator. Set TESSERA_KEY or pass --key.',
    );
  if (!URL.canParse(values.url))
    throw new UsageError(`--url takes an address like https://host, not ${values.url}.`);
  return { url: values.url.replace(/\/+$/, ''), curator: { key } };
}

const share = (value: number | null) => (value === null ? '–' : value.toFixed(3));
/** Millionths of the project's currency. */
const money = (micro: string | null) => (micro === null ? '–' : (Number(micro) / 1e6).toFixed(2));

/** The report for a person. */
function simulationText(report: SimulationReport): string {
  return [facts(report), quality(report), people(report), latencies(report)].join('\n\n');
}

function facts(report: SimulationReport): string {
  const { requests, requestsPerSecond, retries, errors, leaks } = report;
  const rows = [
    ['Items done', `${report.items}, and ${report.examItems} in exams`],
    ['Requests', `${requests} in ${report.seconds} s: ${requestsPerSecond} a second`],
    ['Asked again', `${retries.tooMany} × 429, ${retries.server} × 5xx, ${retries.network} × no answer`],
    ['Errors', String(errors.count)],
    ['Double assignments', String(report.doubles)],
    ['Repeats', String(report.repeats)],
    ['Leaks', Object.keys(leaks).length === 0 ? 'none seen' : ''],
    ...Object.entries(leaks).map(([hint, times]) => ['', `${hint} (${times} ×)`]),
    ...errors.examples.map(({ errand, status, detail }) => ['', `${errand}: ${status} ${detail}`]),
  ];
  return columns(rows);
}

function quality({ quality: found, cost, caught, wronglyRemoved }: SimulationReport): string {
  const list = (removed: SimulationReport['caught']) =>
    removed
      .map(({ worker, behaviour, afterItems }) => `${behaviour} ${worker} after ${afterItems}`)
      .join(', ') || 'nobody';
  return columns([
    ['Labels compared', found ? `${found.labels}, of which ${found.wrong} are wrong` : 'none'],
    ['Wrong, from bad workers', found ? String(found.wrongByBadWorkers) : '–'],
    [
      'Precision, recall, IoU',
      found ? [found.precision, found.recall, found.meanIou].map(share).join(', ') : '–',
    ],
    ['Cost', `${money(cost.micro)}, per accepted label ${money(cost.perLabelMicro)}`],
    ['Caught', list(caught)],
    ['Wrongly removed', list(wronglyRemoved)],
  ]);
}

function people({ byBehaviour }: SimulationReport): string {
  const rows = Object.entries(byBehaviour).map(([name, row]) => [
    name,
    String(row.workers),
    String(row.items),
    String(row.refreshers),
    Object.entries(row.left)
      .map(([why, count]) => `${why} ${count}`)
      .join(', '),
  ]);
  return `${bold('Who')}\n${table(['behaviour', 'workers', 'items', 'refreshers', 'left because'], rows, '')}`;
}

function latencies({ latency }: SimulationReport): string {
  const rows = Object.entries(latency).map(([errand, { count, p50, p95, p99, most }]) => [
    errand,
    ...[count, p50, p95, p99, most].map(String),
  ]);
  return `${bold('Milliseconds')}\n${table(['request', 'times', 'p50', 'p95', 'p99', 'most'], rows, '')}`;
}
