import { statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuild } from '@/bin/start/build';
import { noProgress } from '@/bin/terminal';
import { hasExited, isAlive } from '@/db/embedded';
import { childrenOf, type Running, runTessera, startTessera, temporaryHome } from '../support/instance';

/** Long enough for a machine that is busy with other tests. */
const timeoutMs = 180_000;

let place: Awaited<ReturnType<typeof temporaryHome>>;
const running: Running[] = [];

function start(env: Record<string, string> = {}): Running {
  const instance = startTessera(['start'], { ...place.env, ...env });
  running.push(instance);
  return instance;
}

async function ask(statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: place.server()?.url() });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

const leaveNote = () => ask(`insert into settings (key, value) values ('note', '"still here"')`);
const findNote = () => ask(`select value from settings where key = 'note'`);
const note = [{ value: 'still here' }];

describe.sequential('an instance', () => {
  beforeAll(async () => {
    place = await temporaryHome();
    await ensureBuild(noProgress);
  }, timeoutMs);

  afterAll(async () => {
    for (const { process } of running) process.kill('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
    await place.remove();
  });

  it('starts from nothing, says where it is, and answers', { timeout: timeoutMs }, async () => {
    const instance = start();
    await instance.says('Ctrl-C');
    expect(instance.output()).toContain(`Tessera is running at ${place.url}`);
    expect(instance.output()).toContain(place.home);
    expect(instance.output()).toContain('npx tessera users invite --admin');
    expect((await fetch(`${place.url}/api/health`)).status).toBe(200);
    expect((await fetch(`${place.url}/api/ready`)).status).toBe(200);
    await leaveNote();
  });

  it('keeps a silent connection longer than proxies do (requests were reset after five seconds)', async () => {
    const { headers } = await fetch(`${place.url}/api/health`);
    expect(headers.get('keep-alive')).toBe('timeout=75');
  });

  it('keeps its secrets to itself', () => {
    expect(statSync(path.join(place.home, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(place.home, 'tessera.log')).mode & 0o777).toBe(0o600);
    expect(place.logFile()).not.toContain(place.server()?.url());
  });

  it('refuses a second start on the same home, and names the first', async () => {
    const second = await runTessera(['start'], { ...place.env, PORT: '0' });
    expect(second.code).toBe(1);
    expect(second.output).toContain(`process ${running[0]?.process.pid}`);
    expect(second.output).toContain('TESSERA_HOME=');
  });

  it('lets commands use its database meanwhile', async () => {
    const { code, output } = await runTessera(['users', 'list', '--json'], place.env);
    expect(output).toBe('[]\n');
    expect(code).toBe(0);
  });

  it('starts a worker that dies again, and says so', { timeout: timeoutMs }, async () => {
    const instance = running[0] as Running;
    const children = childrenOf(instance.process.pid as number);
    expect(children).toHaveLength(2);
    for (const pid of children) process.kill(pid, 'SIGKILL');
    await instance.says('The web process is back');
    await instance.says('The worker process is back');
    expect((await fetch(`${place.url}/api/health`)).status).toBe(200);
  });

  it('starts a database that dies again at the same address, and says meanwhile that it is away', {
    timeout: timeoutMs,
  }, async () => {
    const instance = running[0] as Running;
    const server = place.server();
    const page = () => fetch(`${place.url}/sign-in`, { headers: { accept: 'text/html' } });
    expect((await page()).status).toBe(200);
    // Held still, so that the database stays away for as long as we look.
    instance.process.kill('SIGSTOP');
    process.kill(server?.pid as number, 'SIGKILL');
    await hasExited(server?.pid as number, 20_000);
    const away = await page();
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await away.text()).toContain('Back in a moment');
    const call = await fetch(`${place.url}/api/v1/me`, { headers: { 'x-api-key': 'tess_unknown' } });
    expect([call.status, (await call.json()).detail]).toEqual([
      503,
      expect.stringContaining('does not answer'),
    ]);
    expect((await fetch(`${place.url}/api/ready`)).status).toBe(503);
    instance.process.kill('SIGCONT');
    await instance.says('PostgreSQL has died');
    while (!place.server()) await sleep(50);
    expect(place.server()?.port).toBe(server?.port);
    await expect.poll(findNote, { timeout: 30_000 }).toEqual(note);
    expect((await page()).status).toBe(200);
    expect((await fetch(`${place.url}/api/ready`)).status).toBe(200);
  });

  it('leaves nothing running when the starter is killed, but the database, which the next start takes over', {
    timeout: timeoutMs,
  }, async () => {
    const first = running[0] as Running;
    const children = childrenOf(first.process.pid as number);
    first.process.kill('SIGKILL');
    await first.ended;
    for (const pid of children) expect(await hasExited(pid, 20_000)).toBe(true);
    const orphan = place.server();
    expect(orphan && isAlive(orphan.pid)).toBe(true);

    const second = start();
    await second.says('Ctrl-C');
    expect(place.server()?.pid).toBe(orphan?.pid);
    expect(await findNote()).toEqual(note);
  });

  it('stops everything in order when asked to, and keeps the data', { timeout: timeoutMs }, async () => {
    const instance = running[1] as Running;
    const children = childrenOf(instance.process.pid as number);
    const server = place.server();
    instance.process.kill('SIGTERM');
    expect(await instance.ended).toBe(0);
    expect(instance.output()).toContain('Stopped.');
    for (const pid of [...children, server?.pid as number]) expect(await hasExited(pid, 0)).toBe(true);

    const { code, output } = await runTessera(['users', 'list', '--json'], place.env);
    expect([code, output]).toEqual([0, '[]\n']);
    expect(place.server()).toBeUndefined();
  });
});
