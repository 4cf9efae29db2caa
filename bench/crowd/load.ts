/**
 * The load test: a crowd works on a started instance of this machine, faster than people do (`--speed Infinity`:
 * as fast as the server lets it). Fills a project of its own with pictures and gold first, and asks the database
 * itself for doubles at the end. Memory and processor time of web, worker and database are read on Linux. `--ramp` has
 * the crowd arrive over so many seconds; `--web` and `--worker` say how many of each work on the database, those
 * beyond the started one being started here, with requests going to the web servers in turns.
 *
 *   npm run bench:load -- [--workers 200] [--seconds 120] [--ramp 0] [--speed 4] [--pictures 4000] [--web 1] [--worker 1] [--json]
 */
import { parseArgs } from 'node:util';
import { sql } from 'drizzle-orm';
import { commandLine, enterDatabase } from '@/bin/database/enter';
import { lockHolder, startLock } from '@/bin/start/lock';
import { type Database, newId, tables } from '@/db';
import { findEmbedded } from '@/db/embedded';
import { readConfig } from '@/lib/config';
import { ensureSecrets } from '@/lib/config/secrets';
import { defaultPolicy } from '@/lib/core/quality/policy';
import { defaultRules } from '@/lib/core/quality/rules';
import { castCrew, defaultMix } from '@/lib/demo/simulation/crew';
import { countRepeats } from '@/lib/demo/simulation/http/report';
import { runCrowd } from '@/lib/demo/simulation/http/run-crowd';
import { Traffic } from '@/lib/demo/simulation/http/traffic';
import { KnownScenes } from '@/lib/demo/simulation/known-scenes';
import { createInvitation } from '@/lib/services/accounts';
import { storage } from '@/lib/services/storage';
import { type Filled, fillProject } from './fill';
import { childrenSaying, inTurns, ProcessWatch, startReplicas } from './load-processes';

const { values: options } = parseArgs({
  options: {
    workers: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '120' },
    speed: { type: 'string', default: '4' },
    ramp: { type: 'string', default: '0' },
    pictures: { type: 'string', default: '4000' },
    web: { type: 'string', default: '1' },
    worker: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});

const HOUR_MS = 3_600_000;
/** Enough that nobody waits for gold: an exam of 20 and the checks of a run. */
const GOLD = 120;

const { home, url } = readConfig();
const starter = lockHolder(startLock(home))?.pid;
if (!starter)
  throw new Error(`Nothing runs on ${home}: start Tessera first, with the same TESSERA_HOME and PORT.`);
await using entered = await enterDatabase();
const { db } = entered;
const workers = Number(options.workers);
const scenes = new KnownScenes('rival10');
const project = await fillProject(db, scenes, {
  slug: `load-${newId().slice(-8)}`,
  policy: { ...defaultPolicy, gold: { ...defaultPolicy.gold, maxExposures: 10_000 } },
  rules: defaultRules,
  pictures: Number(options.pictures),
  gold: GOLD,
  // Workers see images by the address of their lease, and recognize them by their content.
  storage: storage(),
});
// Scenes are drawn before the clock starts: here they stand for what a person sees at a glance.
for (const picture of project.pictures.values()) scenes.of(picture);
const { token } = await createInvitation(db, commandLine, {
  projectId: project.projectId,
  roles: ['worker'],
  seats: workers,
  expiresAt: new Date(Date.now() + HOUR_MS),
});
await using replicas = await startReplicas({
  web: Number(options.web) - 1,
  worker: Number(options.worker) - 1,
});
const database = findEmbedded(home, ensureSecrets(home).databasePassword)?.pid;
let watch: ProcessWatch | undefined;
const traffic = new Traffic();
const { careers, floor, seconds, requests } = await runCrowd({
  url,
  fetch: inTurns(url, replicas.urls),
  traffic,
  project: {
    ...project,
    id: project.projectId,
    stages: project.stages.map((stage) => ({ ...stage, name: stage.kind, state: 'open' })),
  },
  token,
  crew: castCrew(defaultMix, workers, 1),
  seconds: Number(options.seconds),
  speed: Number(options.speed),
  arriveWithin: Number(options.ramp),
  // Joining is not part of the work: it costs two slow hashes of a password each.
  onBegin: () => {
    if (process.platform === 'linux') watch = watchProcesses(starter, database);
  },
  sceneOf: (blob) => {
    const picture = project.pictures.get(blob);
    return picture ? scenes.of(picture) : null;
  },
  onProgress: (text) => process.stderr.isTTY && process.stderr.write(`\r${text}  `),
});

const report = {
  web: Number(options.web),
  worker: Number(options.worker),
  workers: careers.length,
  arrivedWithin: Number(options.ramp),
  seconds: Math.round(seconds),
  answers: floor.done.length,
  answersPerSecond: Math.round(floor.done.length / seconds),
  requestsPerSecond: Math.round(requests / seconds),
  errors: traffic.failures.length,
  retries: traffic.retries,
  doubles: await countDoubles(db, project),
  repeats: countRepeats(floor.done),
  leaks: Object.fromEntries(floor.watch.hints),
  latency: traffic.latencies(),
  processes: watch?.stop() ?? {},
};
console.log(options.json ? JSON.stringify(report, null, 2) : textOf(report));
for (const failure of traffic.failures.slice(0, 5)) console.error(failure);

/** Counted answers and open leases beyond what an item wanted, and pairs of item and worker that came twice. */
async function countDoubles(database: Database, { projectId }: Filled): Promise<number> {
  const { items, leases } = tables;
  const found = await database.execute<{ n: number }>(sql`
    select (select count(*) from ${items} where project_id = ${projectId} and leased + answered > overlap)::int
      + (select count(*) from (
          select 1 from ${leases} l join ${items} i on i.id = l.item_id and i.project_id = ${projectId}
          group by l.item_id, l.worker_id having count(*) > 1) twice)::int as n`);
  return found.rows[0]?.n ?? 0;
}

/** The started web server and worker, those beside them, and all of PostgreSQL. */
function watchProcesses(pid: number, postmaster: number | undefined): ProcessWatch {
  const sessions = () => (postmaster ? [postmaster, ...childrenSaying(postmaster, '')] : []);
  return new ProcessWatch({
    web: () => childrenSaying(pid, 'tessera.mjs web'),
    ...Object.fromEntries(replicas.web.map((each, n) => [`web ${n + 2}`, () => [each]])),
    worker: () => childrenSaying(pid, 'tessera.mjs worker'),
    ...Object.fromEntries(replicas.worker.map((each, n) => [`worker ${n + 2}`, () => [each]])),
    ...(postmaster && { database: sessions }),
  });
}

function textOf({ latency, processes, ...facts }: typeof report): string {
  const rows = Object.entries(latency).map(([errand, { count, p50, p95, p99, most }]) =>
    [errand, count, p50, p95, p99, most].join(' | '),
  );
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const table = [
    'request | times | p50 ms | p95 ms | p99 ms | most ms',
    '--- | --- | --- | --- | --- | ---',
    ...rows,
  ];
  const milliseconds = (cpu: number) => Math.round((10_000 * cpu) / Math.max(1, facts.answers)) / 10;
  const sizes = [
    'memory, MB | start | middle | end | most | growth a minute, second half | processor s | ms an answer',
    '--- | --- | --- | --- | --- | --- | --- | ---',
    ...Object.entries(processes).map(([name, { start, middle, end, most, perMinute, cpuSeconds }]) =>
      [name, start, middle, end, most, perMinute, cpuSeconds, milliseconds(cpuSeconds)].join(' | '),
    ),
  ];
  const asTable = (table: string[]) => table.map((row) => `| ${row} |`);
  return [...lines, '', ...asTable(table), '', ...asTable(sizes)].join('\n');
}
