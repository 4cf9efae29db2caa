import { performance } from 'node:perf_hooks';
import type { Database } from '@/db';
import { family, one } from './prometheus';

/** Memory, processor and connections of this process. */
export function ofProcess(db: Database): string[] {
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
      'Share of its life that the one thread was busy.',
      one(performance.eventLoopUtilization().utilization),
    ),
    family('tessera_database_connections', 'gauge', 'Connections of the pool of this process.', [
      ['', { state: 'idle' }, pool.idleCount],
      ['', { state: 'busy' }, pool.totalCount - pool.idleCount],
    ]),
    family(
      'tessera_database_connections_most',
      'gauge',
      'Connections that the pool may open.',
      one(pool.options.max ?? 0),
    ),
    family(
      'tessera_database_waiting',
      'gauge',
      'Queries that wait for a connection.',
      one(pool.waitingCount),
    ),
  ];
}
