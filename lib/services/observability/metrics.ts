import { timingSafeEqual } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { sql } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { readConfig } from '@/lib/config';
import { isLoopback } from '@/lib/config/network';
import { family, observed, one, type Sample } from './metric-values';

const { batches, jobs, leases } = tables;

/** Returns the metrics of this process and of the shared work in Prometheus text format. */
export async function metricsText(db: Database): Promise<string> {
  const { requests, jobs } = observed();
  return [
    ...ofProcess(db),
    family('tessera_http_request_seconds', 'histogram', 'Time to answer requests.', requests.samples()),
    family('tessera_job_seconds', 'histogram', 'Duration of job attempts.', jobs.samples()),
    ...(await ofDatabase(db)),
    '',
  ].join('\n');
}

/**
 * Returns metrics shared by all processes. Every web server reports the same values, so do not sum them. Each query uses
 * a partial index; the total number of completed jobs is omitted because its cost grows without bound.
 */
async function ofDatabase(db: Database): Promise<string[]> {
  const [found, work] = await Promise.all([
    db.execute<{ kind: string; state: string; n: number; oldest: number }>(sql`
      select kind, state, count(*)::int as n, extract(epoch from now() - min(created_at))::float as oldest
      from ${jobs} where state in ('queued', 'running', 'retrying') group by kind, state
      union all
      select kind, state, count(*)::int, 0 from ${jobs} where state = 'failed' group by kind, state`),
    db.execute<{ batches: number; overdue: number; leases: number }>(sql`
      select count(*)::int as batches, (count(*) filter (where b.leased_until < now()))::int as overdue,
        coalesce(sum((select count(*) from ${leases} l where l.batch_id = b.id and l.state = 'open')), 0)::int as leases
      from ${batches} b where b.state = 'leased'`),
  ]);
  const now = work.rows[0] ?? { batches: 0, overdue: 0, leases: 0 };
  const waiting = found.rows.filter(({ state }) => state === 'queued' || state === 'retrying');
  const byKind = (value: (row: (typeof waiting)[number]) => number) =>
    found.rows.map((row): Sample => ['', { kind: row.kind, state: row.state }, value(row)]);
  return [
    family(
      'tessera_jobs',
      'gauge',
      'Jobs that are queued, running, retrying or failed, by kind.',
      byKind(({ n }) => n),
    ),
    family(
      'tessera_jobs_waiting',
      'gauge',
      'Queue depth: jobs that no worker has started.',
      one(waiting.reduce((sum, { n }) => sum + n, 0)),
    ),
    family(
      'tessera_jobs_waiting_seconds',
      'gauge',
      'Age of the oldest queued job.',
      one(Math.max(0, ...waiting.map(({ oldest }) => oldest))),
    ),
    family('tessera_batches_leased', 'gauge', 'Open batches leased to workers.', [
      ['', { state: 'running' }, now.batches - now.overdue],
      ['', { state: 'overdue' }, now.overdue],
    ]),
    family('tessera_leases_open', 'gauge', 'Leased items without an answer.', one(now.leases)),
  ];
}

/** Memory, processor and connections of this process. */
function ofProcess(db: Database): string[] {
  const pool = db.$client;
  const memory = process.memoryUsage();
  const cpu = process.cpuUsage();
  return [
    family('process_uptime_seconds', 'gauge', 'Age of the process.', one(process.uptime())),
    family('process_resident_memory_bytes', 'gauge', 'Memory of the process.', one(memory.rss)),
    family('nodejs_heap_used_bytes', 'gauge', 'JavaScript heap in use.', one(memory.heapUsed)),
    family(
      'process_cpu_seconds_total',
      'counter',
      'Processor time, user and system.',
      one((cpu.user + cpu.system) / 1e6),
    ),
    family(
      'nodejs_eventloop_utilization',
      'gauge',
      'Share of time that the event loop was busy.',
      one(performance.eventLoopUtilization().utilization),
    ),
    family('tessera_database_connections', 'gauge', 'Connections of the pool of this process.', [
      ['', { state: 'idle' }, pool.idleCount],
      ['', { state: 'busy' }, pool.totalCount - pool.idleCount],
    ]),
    family(
      'tessera_database_connections_most',
      'gauge',
      'Maximum number of connections in the pool.',
      one(pool.options.max ?? 0),
    ),
    family('tessera_database_waiting', 'gauge', 'Queries waiting for a connection.', one(pool.waitingCount)),
  ];
}

/** The Host and Authorization headers of a request. */
export interface Caller {
  host: string | null | undefined;
  authorization: string | null | undefined;
}

/** Allows requests with the metrics token, and all requests if the instance is only reachable from this machine. */
export function canReadMetrics(caller: Caller): boolean {
  return isPrivate(caller) || hasToken(caller);
}

/**
 * Depends on the listening address and the configured host name, never on forwarding headers. The Host header must match,
 * which prevents DNS rebinding from pages of other sites.
 */
function isPrivate({ host }: Caller): boolean {
  const { HOST, url } = readConfig();
  const asked = host?.replace(/:\d+$/, '') ?? '';
  return isLoopback(HOST) && isLoopback(new URL(url).hostname) && isLoopback(asked);
}

function hasToken({ authorization }: Caller): boolean {
  const wanted = readConfig().TESSERA_METRICS_TOKEN;
  if (!wanted || !authorization) return false;
  const [right, given] = [Buffer.from(`Bearer ${wanted}`), Buffer.from(authorization)];
  return right.length === given.length && timingSafeEqual(right, given);
}
