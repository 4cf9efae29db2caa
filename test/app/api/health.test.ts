import { chmodSync, rmSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, it } from 'vitest';
import { GET as health } from '@/app/api/health/route';
import { GET as metrics } from '@/app/api/metrics/route';
import { GET as ready } from '@/app/api/ready/route';
import { getMe } from '@/app/api/v1/account';
import { jobs } from '@/db/schema';
import { beginDraining } from '@/lib/services/observability/current-work';
import { keyOf, person } from '../../services/access/people';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { call, withKey } from './call';

const db = useDatabase();
const home = useHome();

const request = (path: string, headers: Record<string, string> = {}) =>
  new Request(`http://localhost:3000/api/${path}`, { headers: { host: 'localhost:3000', ...headers } });

afterEach(() => {
  process.env.HOST = '127.0.0.1';
  process.env.TESSERA_URL = 'http://localhost:3000';
});

describe('health', () => {
  it('answers as long as the process lives', async () => {
    expect((await health(request('health'))).status).toBe(200);
  });
});

describe('readiness', () => {
  it('is there when the database, its migrations and the data folder are', async () => {
    const reply = await ready(request('ready'));
    expect([reply.status, await reply.json()]).toEqual([200, { status: 'ready' }]);
  });

  it('says that the database is older than the release', async () => {
    await db().execute(sql`update drizzle.__drizzle_migrations set created_at = created_at - 1e12`);
    const reply = await ready(request('ready'));
    expect(reply.status).toBe(503);
    expect((await reply.json()).reasons).toEqual({ migrations: expect.stringContaining('migrate') });
    await db().execute(sql`update drizzle.__drizzle_migrations set created_at = created_at + 1e12`);
  });

  it('is gone from the moment at which the process is told to stop', async () => {
    beginDraining();
    const reply = await ready(request('ready'));
    expect([reply.status, (await reply.json()).reasons]).toEqual([503, { process: 'It is about to stop.' }]);
    expect((await health(request('health'))).status).toBe(200);
    delete (globalThis as { tesseraDraining?: unknown }).tesseraDraining;
    expect((await ready(request('ready'))).status).toBe(200);
  });

  it('says that the data folder is gone, without telling where it was', async () => {
    chmodSync(home(), 0o700);
    rmSync(home(), { recursive: true });
    const reply = await ready(request('ready'));
    expect(reply.status).toBe(503);
    const text = await reply.text();
    expect(text).toContain('data folder');
    expect(text).not.toContain(home());
  });
});

describe('metrics', () => {
  it('count requests by route, connections and jobs', async () => {
    await db().insert(jobs).values({ kind: 'ingest', title: 'Images' });
    await call(getMe);
    const reply = await metrics(request('metrics'));
    expect(reply.headers.get('content-type')).toContain('text/plain');
    const text = await reply.text();
    expect(text).toMatch(
      /tessera_http_request_seconds_count\{method="GET",route="\/api\/v1\/me",status="401"\} \d/,
    );
    expect(text).toContain('tessera_jobs{kind="ingest",state="queued"} 1');
    expect(text).toContain('tessera_jobs_waiting 1');
    expect(text).toContain('tessera_batches_leased{state="overdue"} 0');
    expect(text).toContain('tessera_leases_open 0');
    expect(text).toContain('tessera_database_connections{state="idle"}');
    expect(text).toMatch(/^process_resident_memory_bytes [1-9]/m);
    for (const line of text.trim().split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)+\})? -?[\d.e+-]+)$/);
    }
  });

  it('are hidden from strangers as soon as the instance can be reached from elsewhere', async () => {
    process.env.HOST = '0.0.0.0';
    expect((await metrics(request('metrics', { 'x-forwarded-for': '127.0.0.1' }))).status).toBe(404);
    process.env.HOST = '127.0.0.1';
    process.env.TESSERA_URL = 'https://tessera.example.org';
    expect((await metrics(request('metrics'))).status).toBe(404);
    process.env.TESSERA_URL = 'http://localhost:3000';
    expect((await metrics(request('metrics', { host: 'rebound.example' }))).status).toBe(404);
  });

  it('are open to the token for them, which opens nothing else', async () => {
    process.env.HOST = '0.0.0.0';
    process.env.TESSERA_METRICS_TOKEN = 'a token for Prometheus';
    const status = async (token: string) => (await metrics(request('metrics', withKey(token)))).status;
    expect(await status('a token for Prometheus')).toBe(200);
    expect(await status('a token for prometheus')).toBe(404);
    expect(await status('')).toBe(404);
    expect((await call(getMe, { headers: withKey('a token for Prometheus') })).status).toBe(401);
    delete process.env.TESSERA_METRICS_TOKEN;
    expect(await status('a token for Prometheus')).toBe(404);
  });

  it('are open to the key of an admin, and of nobody else', async () => {
    process.env.HOST = '0.0.0.0';
    const ada = await person(db(), 'Ada', true);
    const bob = await person(db(), 'Bob');
    const status = async (key: string) => (await metrics(request('metrics', withKey(key)))).status;
    expect(await status(await keyOf(db(), ada, 'admin'))).toBe(200);
    expect(await status(await keyOf(db(), ada, 'read'))).toBe(404);
    expect(await status(await keyOf(db(), bob, 'admin'))).toBe(404);
  });
});
