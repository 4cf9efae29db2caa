import type { SimulationReport } from '@/lib/demo/simulation/http/report';
import { bold, columns, table } from '../terminal/text';

const share = (value: number | null) => (value === null ? '–' : value.toFixed(3));
/** Millionths of the project's currency. */
const money = (micro: string | null) => (micro === null ? '–' : (Number(micro) / 1e6).toFixed(2));

/** The report for a person. */
export function simulationText(report: SimulationReport): string {
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
