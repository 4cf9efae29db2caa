import { count } from 'drizzle-orm';
import { type Database, tables } from '@/db';

/** Seconds; from a cached read to an export that had to wait. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Series {
  method: string;
  route: string;
  status: number;
  count: number;
  sum: number;
  /** Requests at or below each bound. */
  below: number[];
}

const held = globalThis as { tesseraRequests?: Map<string, Series> };

const requests = () => {
  held.tesseraRequests ??= new Map();
  return held.tesseraRequests;
};

/** `route` is the pattern with its placeholders, never a path with ids: one series each, not one per id. */
export function observeRequest(method: string, route: string, status: number, seconds: number): void {
  const name = `${method} ${route} ${status}`;
  let series = requests().get(name);
  if (!series) {
    series = { method, route, status, count: 0, sum: 0, below: bounds.map(() => 0) };
    requests().set(name, series);
  }
  series.count += 1;
  series.sum += seconds;
  series.below = series.below.map((n, index) => n + (seconds <= (bounds[index] as number) ? 1 : 0));
}

type Labels = Record<string, string | number>;
type Sample = [suffix: string, labels: Labels, value: number];

const escaped = (value: string | number) =>
  String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

function family(name: string, type: 'gauge' | 'counter' | 'histogram', help: string, samples: Sample[]) {
  const lines = samples.map(([suffix, labels, value]) => {
    const inside = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
    return `${name}${suffix}${inside.length > 0 ? `{${inside.join(',')}}` : ''} ${value}`;
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join('\n');
}

/** The state of this process and of the queue, in the text format of Prometheus. */
export async function metricsText(db: Database): Promise<string> {
  const pool = db.$client;
  const jobs = await db
    .select({ state: tables.jobs.state, n: count() })
    .from(tables.jobs)
    .groupBy(tables.jobs.state);
  const memory = process.memoryUsage();
  const cpu = process.cpuUsage();
  const one = (value: number): Sample[] => [['', {}, value]];
  return [
    family('process_uptime_seconds', 'gauge', 'Age of the web process.', one(process.uptime())),
    family('process_resident_memory_bytes', 'gauge', 'Memory of the web process.', one(memory.rss)),
    family('nodejs_heap_used_bytes', 'gauge', 'JavaScript heap in use.', one(memory.heapUsed)),
    family(
      'process_cpu_seconds_total',
      'counter',
      'Processor time, user and system.',
      one((cpu.user + cpu.system) / 1e6),
    ),
    family('tessera_http_request_seconds', 'histogram', 'Time to answer API requests.', requestSamples()),
    family('tessera_database_connections', 'gauge', 'Connections of the pool of this process.', [
      ['', { state: 'idle' }, pool.idleCount],
      ['', { state: 'busy' }, pool.totalCount - pool.idleCount],
    ]),
    family(
      'tessera_database_waiting',
      'gauge',
      'Queries that wait for a connection.',
      one(pool.waitingCount),
    ),
    family(
      'tessera_jobs',
      'gauge',
      'Jobs by state.',
      tables.jobStates.map(
        (state): Sample => ['', { state }, jobs.find((row) => row.state === state)?.n ?? 0],
      ),
    ),
    '',
  ].join('\n');
}

function requestSamples(): Sample[] {
  return [...requests().values()].flatMap(({ method, route, status, count: total, sum, below }): Sample[] => {
    const labels = { method, route, status };
    return [
      ...below.map((n, index): Sample => ['_bucket', { ...labels, le: bounds[index] as number }, n]),
      ['_bucket', { ...labels, le: '+Inf' }, total],
      ['_sum', labels, sum],
      ['_count', labels, total],
    ];
  });
}
