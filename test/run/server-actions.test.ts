import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '@/db';
import { projectFolder } from '@/lib/config';
import { person, password as secret } from '../services/access/people';
import { type Running, startTessera, temporaryHome } from '../support/instance';

/**
 * Server actions of a started Tessera, called over HTTP with what no page of ours would send. A stranger who knows the
 * ids, which are in every script, can do the same.
 */
const place = await temporaryHome();
let instance: Running;
let cookie = '';

const manifest = () =>
  JSON.parse(
    readFileSync(path.join(projectFolder, '.next', 'server', 'server-reference-manifest.json'), 'utf8'),
  ) as { node: Record<string, { workers: Record<string, unknown> }> };
let ids: string[] = [];

/** A page that has the action: elsewhere Next passes the call on to one, and answers 200 whatever that says. */
function pageOf(id: string): string {
  const [worker = ''] = Object.keys(manifest().node[id]?.workers ?? {});
  const page = worker.replace(/^app|\/page$|\/\([^)]*\)/g, '').replace(/\[[^\]]*\]/g, 'x');
  return page.startsWith('/') ? page : '/sign-in';
}

beforeAll(async () => {
  instance = startTessera(['start'], { ...place.env, TESSERA_LOG_LEVEL: 'warn' });
  await instance.says('is running at');
  ids = Object.keys(manifest().node);
  const db = connect(place.server()?.url('tessera') ?? '');
  const ada = await person(db, 'Ada', true);
  await db.$client.end();
  const reply = await fetch(`${place.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: place.url },
    body: JSON.stringify({ email: ada.email, password: secret }),
  });
  cookie = reply.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  expect(cookie).toContain('session');
  // A first start builds the web app.
}, 900_000);

afterAll(async () => {
  instance?.process.kill('SIGTERM');
  await instance?.ended;
  await place.remove();
});

interface Call {
  headers?: Record<string, string>;
  body?: BodyInit;
  at?: string;
}

async function send({ headers = {}, body = '[]', at = '/sign-in' }: Call) {
  const reply = await fetch(`${place.url}${at}`, { method: 'POST', headers, body, redirect: 'manual' });
  return { status: reply.status, text: await reply.text(), headers: reply.headers };
}

/** Lines of the log since a place in it; the starter copies them a moment later. */
async function linesSince(before: number, count: number): Promise<string[]> {
  const lines = () => place.logFile().slice(before).split('\n').filter(Boolean);
  await expect.poll(() => lines().length, { timeout: 5000 }).toBeGreaterThanOrEqual(count);
  return lines();
}

const people = [
  ['a stranger', () => ({})],
  ['somebody who is signed in', () => ({ cookie })],
] as const;

const form = (fields: Record<string, string>) => {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.set(name, value);
  return made;
};

const text = { 'content-type': 'text/plain;charset=UTF-8' };
/** By what is wrong with them: bodies that Next cannot decode, and arguments that fit no action. */
const malformed: Record<string, Omit<Call, 'at'>> = {
  nothing: { headers: text, body: '' },
  'no JSON': { headers: text, body: '{"a":' },
  'no list': { headers: text, body: '{"length":1}' },
  'a number': { headers: text, body: '7' },
  'a part that is not there': { headers: text, body: '["$1"]' },
  'a form that is not there': { headers: text, body: '["$K1"]' },
  'an action that is not there': { headers: text, body: '["$h1"]' },
  'a promise that never comes': { headers: text, body: '["$@5"]' },
  'a date that is none': { headers: text, body: '["$Dnever", "$Dnever", "$Dnever"]' },
  'its own self': { headers: text, body: '["$0","$0","$0"]' },
  'numbers for texts': { headers: text, body: '[1,2,3,4]' },
  'objects for texts': { headers: text, body: '[{"a":{}},{"b":[]},{"__proto__":{"c":1}}]' },
  'texts that cannot be stored': { headers: text, body: '["a\\u0000b","a\\u0000b","a\\u0000b"]' },
  'half of a character': { headers: text, body: '["\\ud800","\\ud800","\\ud800"]' },
  'a thousand lists in one another': { headers: text, body: `${'['.repeat(1000)}${']'.repeat(1000)}` },
  'parts without a boundary': { headers: { 'content-type': 'multipart/form-data' }, body: 'x' },
  'parts that end too early': {
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: '--b\r\ncontent-disposition: form-data; name="0"\r\n\r\n[1',
  },
  'parts of another kind': { body: form({ 0: '["$K1","$K1","$K1","$K1"]', 1: 'x', '1_a': 'b' }) },
};

describe('malformed arguments returned 500 with a stack trace', () => {
  it('finds every action', () => {
    expect(ids.length).toBeGreaterThan(60);
  });

  it.each(people)(
    'for %s: now no 5xx, no stack trace, and one line for a refusal',
    async (_, who) => {
      const faults: string[] = [];
      const before = place.logFile().length;
      let refusals = 0;
      for (const [what, { headers, body }] of Object.entries(malformed)) {
        // A quarter of all actions each time, so that every action meets several and the test stays short.
        const chosen = ids.filter((_, i) => (i + what.length) % 4 === 0);
        const replies = await Promise.all(
          chosen.map(async (id) => {
            const head = { ...who(), ...headers, origin: place.url, 'next-action': id };
            return { id, ...(await send({ headers: head, body, at: pageOf(id) })) };
          }),
        );
        for (const { id, status, text: said } of replies) {
          if (status === 400) refusals++;
          if (status >= 500) faults.push(`${what} → ${id}: ${status}`);
          if (/\n\s+at |node_modules|\.tsx?:\d/.test(said))
            faults.push(`${what} → ${id}: ${said.slice(0, 300)}`);
        }
      }
      expect(faults).toEqual([]);
      expect(refusals).toBeGreaterThan(100);
      const lines = await linesSince(before, refusals);
      expect(lines.filter((line) => !line.includes('a server action was refused'))).toEqual([]);
      expect(lines).toHaveLength(refusals);
      expect(instance.output()).not.toMatch(/\n\s+at /);
    },
    240_000,
  );

  it('answers one refusal with 400, in words, and writes why', async () => {
    const before = place.logFile().length;
    const [id = ''] = ids;
    const headers = { ...text, origin: place.url, 'next-action': id };
    const reply = await send({ headers, body: '{"a":', at: pageOf(id) });
    expect(reply.status).toBe(400);
    expect(reply.text).toBe('The request is not valid. Reload the page and try again.');
    expect(reply.headers.get('content-type')).toContain('text/plain');
    const [line = '', ...more] = await linesSince(before, 1);
    expect(more).toEqual([]);
    expect(JSON.parse(line.slice(line.indexOf('{')))).toMatchObject({
      level: 'warn',
      status: 400,
      action: id,
      path: pageOf(id),
      requestId: expect.any(String),
    });
  });

  it('still answers well-formed calls', async () => {
    const reply = await fetch(`${place.url}/api/health`);
    expect(reply.status).toBe(200);
  });
});

describe('server actions accepted POST requests without an Origin header', () => {
  it.each(people)('of %s: refused without one, and with that of another site', async (_, who) => {
    const [id = ''] = ids;
    const before = place.logFile().length;
    const headers = { ...text, 'next-action': id };
    const calls: Call[] = [
      { headers: { ...headers, ...who() } },
      { headers: { ...headers, ...who(), origin: 'https://evil.example' } },
      { headers: { ...headers, ...who(), origin: 'null' } },
      { headers: { ...headers, ...who(), 'sec-fetch-site': 'cross-site' } },
      // As a form is sent without script.
      { headers: { ...who() }, body: form({ [`$ACTION_ID_${id}`]: '' }) },
      { headers: { ...who(), origin: 'https://evil.example' }, body: form({ [`$ACTION_ID_${id}`]: '' }) },
      {
        headers: { ...headers, ...who(), origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
      },
    ];
    for (const call of calls) expect((await send(call)).status).toBe(403);
    const lines = await linesSince(before, calls.length);
    expect(lines).toHaveLength(calls.length);
    for (const line of lines) expect(line).toContain('a server action was refused');
  });

  it('refuses ids that are none, and bodies that are too large', async () => {
    const origin = place.url;
    for (const id of ['x', '__proto__', 'toString', 'f'.repeat(42), '0'.repeat(5000)])
      expect((await send({ headers: { ...text, origin, 'next-action': id } })).status).toBe(404);
    const large = await send({
      headers: { ...text, origin, 'next-action': ids[0] ?? '' },
      body: JSON.stringify(['x'.repeat(2_000_000)]),
    }).catch(() => ({ status: 413 }));
    expect(large.status).toBe(413);
  });

  it('lets our own pages sign in and out', async () => {
    const page = await (await fetch(`${place.url}/sign-in`)).text();
    const [name] = /\$ACTION_(?:REF_\d+|ID_[0-9a-f]+)/.exec(page) ?? [];
    expect(name).toBeDefined();
    const fields = [...page.matchAll(/<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?/g)].map(
      ([, field = '', value = '']) =>
        [field, value.replaceAll('&quot;', '"').replaceAll('&amp;', '&')] as const,
    );
    const body = form({
      ...Object.fromEntries(fields),
      email: 'nobody@example.org',
      password: 'wrong password',
    });
    const reply = await send({ headers: { origin: place.url }, body });
    expect(reply.status).toBe(200);
    expect(reply.text).toContain('is wrong. Check both and try again');
  });
});
