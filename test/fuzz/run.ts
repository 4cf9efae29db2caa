import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'drizzle-orm';
import { endpoints } from '@/app/api/v1/endpoints';
import { connect, type Database } from '@/db';
import { scopeIds } from '@/lib/auth';
import { projectFolder } from '@/lib/config';
import { readSecrets } from '@/lib/config/secrets';
import { stream } from '@/lib/evaluation/random/stream';
import { keyOf, password, person } from '../auth/people';
import { childrenOf, startTessera, temporaryHome } from '../support/instance';
import { oneOfEach, type World } from '../support/one-of-each';
import { type Attack, send } from './attack';
import { type Armoury, attackOn } from './attacks';
import { faultIn } from './fault';
import { type HostileFile, hostileFiles, mangled } from './files';
import { hostileTexts, pick } from './hostile';
import { goodFiles, readHostile, spoiled } from './readers';

/**
 * `npm run fuzz -- --seed 1 --count 20000 --minutes 20`: hostile requests, pages, uploads and files against a Tessera of
 * its own, with its real web, worker and database. Fails on a fault, on a process that ended, on memory beyond the bound.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '20000' },
    minutes: { type: 'string', default: '20' },
  },
});
const lasts = Number(values.minutes) * 60_000;
/** Counted from when it runs: the first start builds. */
let until = Date.now() + lasts;
const chance = stream(`fuzz ${values.seed}`);
/** Of one process of ours; a web process under load keeps some hundred megabytes. */
const mostBytes = 2.5 * 1024 ** 3;
/** Requests after which things are made anew, because hostile requests delete and archive them. */
const roundsPerWorld = 4;
const atOnce = 4;

/** As far as an address can hold them. */
const clean = hostileTexts.map((text) => text.slice(0, 1500).replace(/\p{Surrogate}/gu, ''));

const faults = new Map<string, number>();
const counts: Record<string, number> = {};
const statuses: Record<string, number> = {};
const blame = (fault: string) => faults.set(fault, (faults.get(fault) ?? 0) + 1);
const isOver = () => Date.now() > until;

const place = await temporaryHome();
const instance = startTessera(['start'], place.env);
try {
  await instance.says('is running at');
  until = Date.now() + lasts;
  const children = childrenOf(instance.process.pid as number);
  const watch = watchMemory(children);
  process.env.TESSERA_HOME = place.home;
  process.env.TESSERA_SECRET = readSecrets(place.home)?.secret;
  process.env.TESSERA_URL = place.url;
  const db = connect(place.server()?.url('tessera') ?? '');
  process.env.DATABASE_URL = place.server()?.url('tessera');
  const files = await hostileFiles();
  await attackEndpoints(db, files);
  await attackPages(db);
  await attackUploads(db, files);
  await attackReaders(files);
  const { most } = watch.stop();
  const left = childrenOf(instance.process.pid as number);
  if (String(left) !== String(children)) blame(`a process ended: ${children} became ${left}`);
  for (const line of instance.output().split('\n'))
    if (/process died|crash/i.test(line)) blame(`the starter said: ${line}`);
  await db.$client.end();
  report(most);
} finally {
  instance.process.kill('SIGTERM');
  await instance.ended;
  await place.remove();
}
process.exit(faults.size > 0 ? 1 : 0);

async function sendAll(kind: string, attacks: Iterable<Attack>): Promise<void> {
  const waiting = [...attacks];
  const one = async () => {
    for (let attack = waiting.pop(); attack && !isOver(); attack = waiting.pop()) {
      const reply = await send(place.url, attack);
      counts[kind] = (counts[kind] ?? 0) + 1;
      statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
      const fault = faultIn(attack, reply);
      if (fault) blame(fault);
      // The brake on requests is tested elsewhere; here it would hide what lies behind it.
      if (reply.status === 429) await sleep(1000);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

async function callersOf(db: Database, { member }: World) {
  const admin = await person(db, 'Ada', true);
  const keys = [await keyOf(db, admin, ...scopeIds), await keyOf(db, member, ...scopeIds)];
  return [...keys.map((key) => ({ authorization: `Bearer ${key}` })), await browser(member.email)];
}

async function browser(email: string): Promise<Record<string, string>> {
  const reply = await fetch(`${place.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: place.url },
    body: JSON.stringify({ email, password }),
  });
  const cookie = reply.headers.getSetCookie().map((line) => line.split(';')[0]);
  return { cookie: cookie.join('; '), origin: place.url };
}

async function attackEndpoints(db: Database, files: readonly HostileFile[]): Promise<void> {
  let left = Number(values.count);
  for (let round = 0; left > 0 && Date.now() < until - 0.4 * lasts; round++) {
    const world = await oneOfEach(db, `C${round}`);
    const armoury: Armoury = { chance, ids: world.ids, callers: await callersOf(db, world), files };
    const attacks = Array.from({ length: roundsPerWorld }, () =>
      endpoints.map((entry) => attackOn(entry, armoury)),
    );
    await sendAll('endpoints', attacks.flat());
    left -= attacks.flat().length;
    console.log(`${counts.endpoints} requests to endpoints, ${faults.size} faults`);
  }
}

/** Every page and every file that a page offers, with the right names and with wrong ones. */
async function attackPages(db: Database): Promise<void> {
  const world = await oneOfEach(db, 'Paula');
  // Pages of results read what an evaluation found, and this one found nothing.
  await db.execute(sql`update evaluations set state = 'failed', metrics = null`);
  const callers = await callersOf(db, world);
  const routes = readdirSync(`${projectFolder}/app`, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(^|\/)(page\.tsx|route\.ts)$/.test(file) && !file.startsWith('api/'))
    .map((file) => `/${file.replace(/\/?(page\.tsx|route\.ts)$/, '').replace(/\([a-z]+\)\/?/g, '')}`);
  const names = [
    'of',
    'stage',
    'a',
    'b',
    'as',
    'q',
    'sort',
    'page',
    'state',
    'class',
    'slice',
    'image',
    'tab',
    'after',
    'version',
    'with',
    'job',
    'worker',
    'next',
  ];
  const attacks: Attack[] = [];
  for (let round = 0; round < 6; round++)
    for (const route of routes) {
      const isWild = round > 0;
      const path = route.replace(/\[(\w+)\]/g, (_, name: string) => {
        const good = name === 'project' ? world.slug : name === 'version' ? '1' : (world.ids[name] ?? 'x');
        return isWild && chance.below(3) === 0 ? encodeURIComponent(pick(clean, chance)) || '-' : good;
      });
      const query = new URLSearchParams();
      for (let n = 0; isWild && n < 4; n++) query.append(pick(names, chance), pick(clean, chance));
      attacks.push({
        method: 'GET',
        path: `${path}?${query}`,
        headers: { ...pick(callers, chance) },
        name: `page ${route}`,
      });
    }
  await sendAll('pages', attacks);
  console.log(`${counts.pages} requests to pages, ${faults.size} faults`);
}

/** Files through the door that people use: sent, taken in as pictures or as a dataset, by the real worker. */
async function attackUploads(db: Database, files: readonly HostileFile[]): Promise<void> {
  const { slug, member } = await oneOfEach(db, 'Ulla');
  const headers = {
    authorization: `Bearer ${await keyOf(db, member, ...scopeIds)}`,
    'content-type': 'application/json',
  };
  const api = `${place.url}/api/v1/projects/${slug}/uploads`;
  const ask = async (
    path: string,
    method: string,
    body?: string | Uint8Array<ArrayBuffer>,
    type = 'application/json',
  ) => {
    const reply = await fetch(`${api}${path}`, {
      method,
      headers: { ...headers, 'content-type': type },
      body,
    });
    if (reply.status >= 500 && reply.status !== 503)
      blame(`upload ${path}: ${reply.status} ${await reply.text()}`);
    counts.uploads = (counts.uploads ?? 0) + 1;
    return reply.ok ? ((await reply.json()) as { id: string; jobId: string }) : null;
  };
  const good = await goodFiles();
  const sets = [
    ...files.map((file) => [file]),
    ...good
      .filter(({ files: set }) => set.size > 0 && set.size < 40)
      .map(({ files: set }) =>
        [...spoiled(set, files, chance)].map(([name, bytes]) => ({ name, bytes: Buffer.from(bytes) })),
      ),
  ];
  const jobs: string[] = [];
  for (const set of sets) {
    if (isOver()) break;
    const upload = await ask('', 'POST', '{}');
    if (!upload) continue;
    for (const { name, bytes } of set.slice(0, 30)) {
      const query = new URLSearchParams({ name: name.replace(/\p{Surrogate}/gu, '') || 'x' });
      await ask(
        `/${upload.id}/files?${query}`,
        'PUT',
        new Uint8Array(mangled(bytes, chance)),
        'application/octet-stream',
      );
    }
    await ask(`/${upload.id}/formats`, 'GET');
    const started =
      (set.length > 1 && (await ask(`/${upload.id}/import`, 'POST', '{}'))) ||
      (await ask(`/${upload.id}/finish`, 'POST'));
    if (started?.jobId) jobs.push(started.jobId);
  }
  await settled(headers, jobs);
  console.log(`${counts.uploads} requests of uploads, ${jobs.length} jobs, ${faults.size} faults`);
}

/** A job may fail with a sentence; it may not hang, nor be lost. */
async function settled(headers: Record<string, string>, jobs: readonly string[]): Promise<void> {
  const patience = Date.now() + 5 * 60_000;
  for (const id of jobs) {
    for (;;) {
      const reply = await fetch(`${place.url}/api/v1/jobs/${id}`, { headers });
      const { state, error } = (await reply.json()) as { state: string; error: string | null };
      if (/TypeError|RangeError|undefined/.test(error ?? '')) blame(`job: ${error}`);
      if (['done', 'failed', 'cancelled'].includes(state)) break;
      if (Date.now() > patience) {
        blame(`job ${id} is ${state} after five minutes`);
        break;
      }
      await sleep(500);
    }
  }
}

async function attackReaders(files: readonly HostileFile[]): Promise<void> {
  const good = await goodFiles();
  for (let n = 0; n < 4000 && !isOver(); n++) {
    const { format, files: set } = good[n % good.length] as (typeof good)[number];
    const fault = await readHostile(format, spoiled(set, files, chance));
    if (fault) blame(fault);
    counts.readers = (counts.readers ?? 0) + 1;
  }
}

function watchMemory(pids: readonly number[]) {
  const most: Record<number, number> = {};
  const timer = setInterval(() => {
    for (const pid of pids) {
      const bytes = residentBytes(pid);
      most[pid] = Math.max(most[pid] ?? 0, bytes);
      if (bytes > mostBytes) blame(`process ${pid} took ${Math.round(bytes / 1e6)} MB`);
    }
  }, 250);
  return {
    stop() {
      clearInterval(timer);
      return { most };
    },
  };
}

function residentBytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function report(most: Record<number, number>): void {
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0);
  console.log(`\n${total} hostile inputs (seed ${values.seed}):`, counts);
  console.log('answers by status:', statuses);
  console.log(
    'most memory of web and worker, MB:',
    Object.values(most).map((bytes) => Math.round(bytes / 1e6)),
  );
  console.log(`${faults.size} kinds of fault`);
  for (const [fault, n] of faults) console.log(`  ${n} × ${fault}`);
}
