import { describe, expect, it } from 'vitest';
import { Client, RequestRefused } from '@/lib/demo/simulation/http/client';
import { latencyOf, Traffic } from '@/lib/demo/simulation/http/traffic';

/** A server that says these things one after the other. */
function serverOf(...replies: (Response | Error)[]) {
  const traffic = new Traffic();
  const client = new Client('http://localhost:3000', traffic, async () => {
    const reply = replies.shift() ?? new Error('nothing more to say');
    if (reply instanceof Error) throw reply;
    return reply;
  });
  return { client, traffic };
}

const problem = (status: number, detail: string, more = {}) =>
  new Response(JSON.stringify({ detail, more }), { status });

describe('the client of a simulated person', () => {
  it('asks again when the server is busy, broken or away, and counts it', async () => {
    const { client, traffic } = serverOf(
      problem(429, 'slow down'),
      problem(503, 'starting'),
      new TypeError('fetch failed'),
      Response.json({ fine: true }),
    );
    expect(await client.request('answer', '/x')).toEqual({ fine: true });
    expect(traffic.retries).toEqual({ tooMany: 1, server: 1, network: 1 });
    expect([traffic.requests, traffic.failures.length]).toEqual([4, 0]);
  });

  it('takes a refusal for what it is, and counts it unless it was reckoned with', async () => {
    const { client, traffic } = serverOf(problem(409, 'closed', { gate: 'exam' }), problem(404, 'no lease'));
    const expected = client.request('next batch', '/x', { method: 'POST', expects: [409] });
    await expect(expected).rejects.toMatchObject({ status: 409, more: { gate: 'exam' } });
    await expect(client.request('answer', '/x')).rejects.toBeInstanceOf(RequestRefused);
    expect(traffic.failures).toEqual([{ errand: 'answer', status: 404, detail: 'no lease' }]);
  });
});

describe('latency', () => {
  it('is told by rank', () => {
    const times = Array.from({ length: 100 }, (_, i) => 100 - i);
    expect(latencyOf(times)).toEqual({ count: 100, p50: 50, p95: 95, p99: 99, most: 100 });
    expect(latencyOf([7])).toEqual({ count: 1, p50: 7, p95: 7, p99: 7, most: 7 });
  });
});
