import { once } from 'node:events';
import { connect as dial } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuild } from '@/bin/start/build';
import { noProgress } from '@/bin/terminal';
import { freePort } from '@/db/embedded';
import { browserOf, origin } from '../app/api/call';
import { person, project } from '../services/access/people';
import { attributeOf, startCollector } from '../support/collector';
import { useDatabase } from '../support/database';
import { useHome } from '../support/home';
import { type Running, startTessera } from '../support/instance';

/** Long enough for a machine that is busy with other tests. */
const timeoutMs = 180_000;

const db = useDatabase();
const home = useHome();
let collector: Awaited<ReturnType<typeof startCollector>>;
let ports: number[];
let webs: Running[];
let worker: Running;
const running: Running[] = [];

const url = (replica: number) => `http://127.0.0.1:${ports[replica]}`;

describe.sequential('two web servers and a worker on one database', () => {
  beforeAll(async () => {
    await ensureBuild(noProgress);
    collector = await startCollector();
    ports = [await freePort(), await freePort(), await freePort()];
    const env = {
      DATABASE_URL: process.env.DATABASE_URL as string,
      TESSERA_HOME: home(),
      TESSERA_SECRET: process.env.TESSERA_SECRET as string,
      TESSERA_URL: origin,
      TESSERA_TRAINER_INSTALL: 'off',
      TESSERA_METRICS_TOKEN: 'a token for Prometheus',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    };
    const start = (args: string[], more: Record<string, string>) => {
      const process = startTessera(args, { ...env, ...more });
      running.push(process);
      return process;
    };
    webs = [0, 1].map((n) => start(['web'], { PORT: String(ports[n]) }));
    worker = start(['worker', '--only', 'find-lookalikes'], { TESSERA_WORKER_PORT: String(ports[2]) });
    await Promise.all(webs.map((web) => web.says('web is listening')));
    await worker.says('the worker is ready');
  }, timeoutMs);

  afterAll(async () => {
    for (const { process } of running) process.kill('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
    await collector.close();
  });

  it('are ready, and say how they are doing', { timeout: timeoutMs }, async () => {
    for (const replica of [0, 1, 2]) expect((await fetch(`${url(replica)}/api/ready`)).status).toBe(200);
    const headers = { authorization: 'Bearer a token for Prometheus' };
    const text = await (await fetch(`${url(2)}/api/metrics`, { headers })).text();
    expect(text).toMatch(/^process_resident_memory_bytes [1-9]/m);
    expect((await fetch(`${url(2)}/api/v1/me`)).status).toBe(404);
  });

  it('share sessions, and what one was asked for another does and all tell', {
    timeout: timeoutMs,
  }, async () => {
    const ada = await person(db(), 'Ada', true);
    const { slug } = await project(db());
    const browser = await browserOf(ada.email);
    const stream = await fetch(`${url(1)}/api/v1/jobs/stream`, { headers: browser });
    const asked = await fetch(`${url(0)}/api/v1/projects/${slug}/images/lookalikes`, {
      method: 'POST',
      headers: { ...browser, 'x-request-id': 'asked-of-the-first' },
    });
    expect(asked.status).toBe(202);
    const { jobId } = await asked.json();
    // The second tells what the worker did, though only the first was asked.
    let told = '';
    const tells = (text: string) => told.split('\n\n').some((event) => event.includes(text));
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    while (!tells(`"id":"${jobId}"`) || !tells('"state":"done"'))
      told += new TextDecoder().decode((await reader.read()).value);
    expect(told).toContain('"requestId":"asked-of-the-first"');
    await worker.says(/"requestId":"asked-of-the-first".*"kind":"find-lookalikes"/);

    // A stream does not hold up the end of its server: it ends, and the browser opens it elsewhere.
    webs[1]?.process.kill('SIGTERM');
    while (!(await reader.read()).done);
    expect(await webs[1]?.ended).toBe(0);
  });

  it('finish what they have begun when they are told to stop', { timeout: timeoutMs }, async () => {
    const body = JSON.stringify({ email: 'nobody@example.org', password: 'a guess of somebody' });
    const half = dial(ports[0] as number, '127.0.0.1');
    let reply = '';
    half.setEncoding('utf8').on('data', (text: string) => {
      reply += text;
    });
    await once(half, 'connect');
    half.write(
      [
        'POST /api/auth/sign-in/email HTTP/1.1',
        'host: localhost:3000',
        `origin: ${origin}`,
        'content-type: application/json',
        `content-length: ${body.length}`,
        '',
        body.slice(0, 10),
      ].join('\r\n'),
    );
    // Answered after it: the half request is being read by then.
    expect((await fetch(`${url(0)}/api/health`)).status).toBe(200);
    webs[0]?.process.kill('SIGTERM');
    await webs[0]?.says('web is about to stop');
    half.write(body.slice(10));
    await once(half, 'close');
    expect(reply).toMatch(/^HTTP\/1\.1 401 /);
    expect(reply.toLowerCase()).toContain('connection: close');
    expect(await webs[0]?.ended).toBe(0);

    worker.process.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  });

  it('have told the collector of both halves under one trace', () => {
    const of = (name: string) =>
      collector.spans.filter((span) => attributeOf(span, 'tessera.request_id') === name);
    const [request, job] = of('asked-of-the-first').toSorted((a, b) => a.kind - b.kind);
    expect([request?.service, job?.service]).toEqual(['tessera-web', 'tessera-worker']);
    expect([request?.name, job?.name]).toEqual([
      'POST /api/v1/projects/{project}/images/lookalikes',
      'job find-lookalikes',
    ]);
    expect(job?.traceId).toBe(request?.traceId);
    expect(Number(attributeOf(request, 'tessera.sql.statements'))).toBeGreaterThan(3);
    expect(Number(attributeOf(job, 'tessera.sql.statements'))).toBeGreaterThan(0);
  });
});
