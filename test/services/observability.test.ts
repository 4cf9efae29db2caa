import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endpoint } from '@/app/api/_http/endpoint';
import { connect, tables } from '@/db';
import { readConfig } from '@/lib/config';
import { enqueue, jobHandler } from '@/lib/services/jobs';
import { currentWork } from '@/lib/services/observability/current-work';
import { readTraceparent, traceOf } from '@/lib/services/observability/span-exporter';
import { isTracing, startTracing, stopTracing, traced } from '@/lib/services/observability/tracing';
import { call } from '../app/api/call';
import { attributeOf, startCollector } from '../support/collector';
import { useDatabase } from '../support/database';
import { declare, until, withWorker } from './jobs/worker';

const db = useDatabase();
let collector: Awaited<ReturnType<typeof startCollector>>;
beforeEach(async () => {
  collector = await startCollector();
});
afterEach(async () => {
  await stopTracing();
  await collector.close();
});

const start = (more: Record<string, string> = {}) =>
  startTracing('web', readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...more }));

const span = { name: 'GET', kind: 'server' } as const;
const good = () => ({ attributes: { 'http.response.status_code': 200 }, isError: false });

describe('the request id', () => {
  it('goes from a request into the job that it starts, and into the job that this one starts', async () => {
    const seen: (string | null | undefined)[] = [];
    const second = jobHandler({
      kind: 'second',
      input: z.object({}),
      run: async () => void seen.push(currentWork()?.requestId),
    });
    const first = jobHandler({
      kind: 'first',
      input: z.object({}),
      run: async (context) => {
        seen.push(currentWork()?.requestId);
        return { next: await enqueue(context.db, 'second', {}, { title: 'Second' }) };
      },
    });
    const ask = endpoint({
      method: 'POST',
      path: '/api/v1/test',
      summary: 'Starts a job',
      output: z.object({ id: z.string() }),
      authorise: 'public',
      handler: async (context) => ({ id: await enqueue(context.db, 'first', {}, { title: 'First' }) }),
    });
    await declare(db(), ['first', 'second']);
    const { json } = await call(ask, { headers: { 'x-request-id': 'from-the-proxy' } });
    await withWorker(db(), [first, second], async () => {
      const { result } = await until(db(), json.id, 'done');
      const job = await until(db(), String(result?.next), 'done');
      expect(job.requestId).toBe('from-the-proxy');
    });
    expect(seen).toEqual(['from-the-proxy', 'from-the-proxy']);
    expect(currentWork()).toBeUndefined();
  });

  it('is the trace', () => {
    expect(traceOf('0198c5a0-1111-7222-8333-444455556666')).toBe('0198c5a0111172228333444455556666');
    expect(traceOf('from-the-proxy')).toMatch(/^[0-9a-f]{32}$/);
    expect(traceOf('00000000000000000000000000000000')).not.toMatch(/^0+$/);
    expect(readTraceparent(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`)).toEqual({
      traceId: 'a'.repeat(32),
      spanId: 'b'.repeat(16),
    });
    for (const bad of [undefined, '', 'x', `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`, ['a', 'b']])
      expect(readTraceparent(bad)).toBeUndefined();
  });
});

describe('traces', () => {
  it('are off, and leave connections as they are, unless a collector is named', async () => {
    startTracing('web', readConfig({}));
    expect(isTracing()).toBe(false);
    const work = { requestId: 'r' };
    expect(await traced(work, span, async () => currentWork(), good)).toBe(work);
    expect(work).toEqual({ requestId: 'r' });
    expect(collector.seen).toEqual([]);
  });

  it('tell the collector of a request, with its statements counted, and of the faults', async () => {
    start({ OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%2Cb,tenant=lab', OTEL_SERVICE_NAME: 'ours' });
    // A pool of its own: the connections of the other were opened before.
    const own = connect(db().$client.options.connectionString as string, { max: 2 });
    const requestId = '0198c5a0-1111-7222-8333-444455556666';
    await traced(
      { requestId, route: '/api/v1/me' },
      { ...span, parentSpanId: 'b'.repeat(16) },
      async () => {
        await own.execute(sql`select pg_sleep(0.01)`);
        await own.transaction((tx) => tx.select().from(tables.settings));
        await expect(own.execute(sql`select 1 / 0`)).rejects.toThrow();
      },
      good,
    );
    await expect(
      traced({ requestId: null }, span, () => Promise.reject(new TypeError('no')), good),
    ).rejects.toThrow('no');
    await own.execute(sql`select 1`);
    await own.$client.end();
    await stopTracing();
    expect(collector.seen[0]).toMatchObject({
      path: '/v1/traces',
      headers: { 'api-key': 'a,b', tenant: 'lab', 'content-type': 'application/json' },
    });
    const [request, fault] = collector.spans;
    expect(collector.spans).toHaveLength(2);
    expect(request).toMatchObject({
      service: 'ours',
      name: 'GET /api/v1/me',
      kind: 2,
      traceId: requestId.replaceAll('-', ''),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      parentSpanId: 'b'.repeat(16),
      status: { code: 0 },
    });
    // begin, select and commit of the transaction, and one statement before and after it.
    expect(attributeOf(request, 'tessera.sql.statements')).toBe('5');
    expect(Number(attributeOf(request, 'tessera.sql.milliseconds'))).toBeGreaterThan(9);
    expect(BigInt(request?.endTimeUnixNano ?? 0)).toBeGreaterThan(BigInt(request?.startTimeUnixNano ?? 0));
    expect(fault?.status.code).toBe(2);
    expect(attributeOf(fault, 'error.type')).toBe('TypeError');
  });

  it('are lost, and nothing else is, while the collector is away', async () => {
    start();
    collector.state.status = 503;
    for (let n = 0; n < 6000; n++) await traced({ requestId: `r${n}` }, span, async () => n, good);
    await stopTracing();
    expect(collector.spans).toEqual([]);
    // What did not fit into the memory set aside for it was not even sent.
    expect(collector.seen.length).toBeLessThanOrEqual(8);
    start();
    collector.state.status = 200;
    expect(await traced({ requestId: 'again' }, span, async () => 'done', good)).toBe('done');
    await stopTracing();
    expect(collector.spans).toHaveLength(1);
  });
});
