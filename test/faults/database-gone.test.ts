import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { problemFrom } from '@/app/api/_http/problem';
import { getMe } from '@/app/api/v1/account';
import { answerUnavailable } from '@/bin/serve/unavailable-page';
import { connect, isDatabaseGone } from '@/db';
import { actorFromRequest } from '@/lib/services/access/actor-from-request';
import { submitBatch } from '@/lib/services/crowd/work';
import { browserOf, call } from '../app/api/call';
import { person } from '../services/access/people';
import { answer, ask, itemOf, take, worker, workshop } from '../services/crowd/workshop';
import { useDatabase } from '../support/database';

const db = useDatabase();

/** In the words of the driver, when a transaction is to be rolled back and its server is gone. */
const notQueryable = 'Client has encountered a connection error and is not queryable';

describe('while the database is away', () => {
  it('a person who is signed in is told so, and not that something unexpected happened', async () => {
    const ann = await person(db(), 'Ann');
    const headers = await browserOf(ann.email);
    expect((await call(getMe, { headers })).status).toBe(200);
    // Nobody listens on the port that is set aside for discarding.
    const away = connect('postgres://nobody@127.0.0.1:9/nothing');
    const error = await actorFromRequest(new Headers(headers), away).catch((fault) => fault);
    expect(isDatabaseGone(error)).toBe(true);
    const reply = problemFrom(error, 'r1');
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5']);
    await away.$client.end();
  });

  it('a page is one that tries again by itself; what is no page is left to tell its own faults', async () => {
    let isAway = true;
    const away = connect('postgres://nobody@127.0.0.1:9/nothing');
    const server = createServer(async (request, reply) => {
      if (!(await answerUnavailable(request, reply, () => (isAway ? away : db())))) reply.end('by Next');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ask = async (path: string, headers: Record<string, string> = { accept: 'text/html' }) => {
      const reply = await fetch(`${url}${path}`, { headers });
      return { status: reply.status, text: await reply.text(), headers: reply.headers };
    };
    const page = await ask('/projects');
    expect(page.status).toBe(503);
    expect(page.headers.get('retry-after')).toBe('5');
    expect(page.text).toContain('Back in a moment');
    expect(page.text).toContain('http-equiv="refresh"');
    // Its one style is allowed by its hash, and nothing else is.
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']{44}'; /,
    );
    expect((await ask('/projects', { rsc: '1' })).status).toBe(503);
    for (const path of ['/api/v1/me', '/_next/static/x.js'])
      expect(await ask(path)).toMatchObject({ status: 200, text: 'by Next' });
    expect((await ask('/icon.svg', { accept: 'image/*' })).text).toBe('by Next');
    isAway = false;
    expect((await ask('/projects')).text).toBe('by Next');
    server.close();
    await away.$client.end();
  });

  it.each([
    ['the disk of the database is full', { code: '53100' }, 'is full'],
    ['the disk of the files is full', { code: 'ENOSPC' }, 'is full'],
    ['the server shuts down', { code: '57P01' }, 'does not answer'],
    ['the server recovers', { code: '57P03' }, 'does not answer'],
    ['the line is cut', { code: 'EPIPE' }, 'does not answer'],
    ['it died within a transaction', { message: notQueryable }, 'does not answer'],
  ])('%s: 503, with what to do', async (_, fault, says) => {
    const cause = Object.assign(new Error('as the driver says it'), fault);
    const reply = problemFrom(new Error('Failed query: insert …', { cause }), 'r2');
    expect(reply.status).toBe(503);
    const { detail } = (await reply.json()) as { detail: string };
    expect(detail).toContain(says);
    expect(detail).not.toContain('driver');
  });
});

describe('when the clock of a web server jumps', () => {
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['ahead', 3],
    ['back', -3],
  ])(
    'three days %s, leases neither run out nor last longer: the database tells the time',
    async (_, days) => {
      const shop = await workshop(db());
      const wanda = await worker(db(), shop);
      await ask(db(), shop, 'part-mask', 4);
      const batch = await take(db(), wanda, shop.stages['part-mask']);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 86_400_000 });
      expect((await take(db(), wanda, shop.stages['part-mask'])).id).toBe(batch.id);
      for (const { leaseId } of batch.items) await answer(db(), wanda, leaseId);
      expect(await submitBatch(db(), wanda, { batchId: batch.id })).toMatchObject({ state: 'submitted' });
      expect(await itemOf(db(), batch.items[0]?.leaseId as string)).toMatchObject({ leased: 0, answered: 1 });
    },
  );
});
