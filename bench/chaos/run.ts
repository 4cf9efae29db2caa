/**
 * Chaos: a crowd and a curator work on an instance of their own while its processes are killed at random
 * (`kill -9` of web, worker and database, which come back by themselves). Afterwards every acknowledged write has
 * to be there and every invariant has to hold; the exit code says whether.
 *
 *   npm run chaos -- [--kills 100] [--web 1] [--workers 1] [--crowd 24] [--speed 6] [--seed 1] [--keep] [--json]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { inArray } from 'drizzle-orm';
import { commandLine } from '@/bin/actor';
import { ensureBuild } from '@/bin/start/build';
import { keepFilesPrivate } from '@/bin/start/environment';
import { terminalProgress } from '@/bin/terminal/progress';
import { connect, type Database, newId, tables } from '@/db';
import { createRng } from '@/lib/demo/scenes/prng';
import { checkFiles } from '@/lib/invariants/check-files';
import { checkRules, type Outcome } from '@/lib/invariants/check-rules';
import { activeStates } from '@/lib/jobs/job-row';
import { defaultPolicy } from '@/lib/quality/default-policy';
import { defaultRules } from '@/lib/quality/rules';
import { castCrew } from '@/lib/simulation/crew';
import { Client } from '@/lib/simulation/http/client';
import type { Floor } from '@/lib/simulation/http/floor';
import { runCrowd } from '@/lib/simulation/http/run-crowd';
import { Traffic } from '@/lib/simulation/http/traffic';
import { KnownScenes } from '@/lib/simulation/known-scenes';
import { storage } from '@/lib/storage';
import { collectBlobs } from '@/lib/storage/collect-blobs';
import { createInvitation } from '@/lib/users';
import { fillProject } from '../crowd/fill';
import { checkAcknowledged } from './acknowledged';
import { curate } from './curator';
import { Instance } from './instance';
import { type Kills, killAtRandom } from './kill';

const { values: options } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    web: { type: 'string', default: '1' },
    workers: { type: 'string', default: '1' },
    crowd: { type: 'string', default: '24' },
    speed: { type: 'string', default: '6' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const HOUR_MS = 3_600_000;
const PICTURES = 1500;
const GOLD = 120;
/** Somebody who waits for a server that is restarted, also on a machine that is busy with other things. */
const patience = { tries: 400, longestWait: 2_500 };
/** Work goes on for a moment after the last restart. */
const CALM_MS = 10_000;
const DRAIN_MS = 300_000;

keepFilesPrivate();
const kills = Number(options.kills);
const say = (text: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
await ensureBuild(terminalProgress(process.stderr));
const instance = new Instance();
// Should this process be killed itself, the starter follows the disappearance of nobody: it is ended here.
process.once('SIGINT', () => void instance.stop().then(() => process.exit(130)));
let isSound = false;
try {
  say(`starting ${options.web} web, ${options.workers} worker on ${instance.home}`);
  await instance.start({ web: Number(options.web), workers: Number(options.workers) });
  isSound = await run();
} finally {
  await instance.stop();
  if (options.keep || !isSound) say(`kept: ${instance.home}`);
  else await instance.remove();
}
process.exit(isSound ? 0 : 1);

async function run(): Promise<boolean> {
  Object.assign(process.env, { TESSERA_HOME: instance.home });
  const db = connect(instance.databaseUrl, { max: 3 });
  const scenes = new KnownScenes('rival10');
  const project = await fillProject(db, scenes, {
    slug: `chaos-${newId().slice(-8)}`,
    policy: { ...defaultPolicy, gold: { ...defaultPolicy.gold, maxExposures: 10_000 } },
    rules: defaultRules,
    pictures: PICTURES,
    gold: GOLD,
    storage: storage(),
  });
  const { projectId } = project;
  const invite = async (roles: ('worker' | 'curator')[], seats: number) =>
    (await createInvitation(db, commandLine, { projectId, roles, seats, expiresAt: inAnHour() })).token;
  const traffic = new Traffic();
  const statuses = new Map<number, number>();
  const anyWeb: typeof fetch = async (input, init) => {
    const url = instance.urls[Math.floor(Math.random() * instance.urls.length)] as string;
    const reply = await fetch(String(input).replace(instance.urls[0] as string, url), init);
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
    return reply;
  };
  const url = instance.urls[0] as string;
  const curator = new Client(url, traffic, anyWeb, {}, patience);
  await joinAsCurator(curator, await invite(['curator'], 1));

  const end = new AbortController();
  const crew = castCrew({ careful: 5, average: 4 }, Number(options.crowd), Number(options.seed));
  let floor: Floor | undefined;
  let killed: Kills | undefined;
  let killing: Promise<void> = Promise.resolve();
  let longestSilence = 0;
  const curating = { promise: undefined as ReturnType<typeof curate> | undefined };
  const crowd = await runCrowd({
    url,
    fetch: anyWeb,
    traffic,
    patience,
    signal: end.signal,
    project: {
      ...project,
      id: projectId,
      stages: project.stages.map((stage) => ({ ...stage, name: stage.kind, state: 'open' })),
    },
    token: await invite(['worker'], crew.length),
    crew,
    // A bound only: the last kill ends the work.
    seconds: 60 + kills * 50,
    speed: Number(options.speed),
    sceneOf: (blob) => {
      const picture = project.pictures.get(blob);
      return picture ? scenes.of(picture) : null;
    },
    onBegin(begun) {
      floor = begun;
      say(`${crew.length} workers and a curator have begun`);
      const className = project.schema.classes[0]?.id ?? '';
      curating.promise = curate(curator, { project: project.slug, className, signal: begun.signal });
      const silence = watchSilence(begun, (ms) => {
        longestSilence = Math.max(longestSilence, ms);
      });
      killing = killAtRandom(instance, {
        kills,
        random: createRng(Number(options.seed)).fork('kills'),
        answers: () => begun.done.length,
        onKill: (kind, n) =>
          (n % 10 === 0 || n === kills) && say(`${n} kills (${kind}), ${begun.done.length} answers`),
      })
        .then(async (counts) => {
          killed = counts;
          await instance.untilReady(instance.urls);
          await sleep(CALM_MS);
        })
        .finally(() => {
          clearInterval(silence);
          end.abort();
        });
    },
  });
  await killing;
  const received = await curating.promise;
  if (!floor || !received || !killed) throw new Error('The crowd has not begun.');
  say('waiting for the jobs to end');
  await drain(db);
  // What interrupted writers left behind is the collector's to remove; it must not take anything else.
  const collected = await collectBlobs(db, storage(), { graceMs: 0 });
  const outcomes: Outcome[] = [
    ...(await checkAcknowledged(db, floor, received)),
    ...(await checkRules(db)),
    ...(await checkFiles(db, storage())),
    {
      name: 'no unexpected error',
      says: 'a request is answered, or refused with 503 while something is down: never 500',
      violations: statuses.get(500) ?? 0,
      examples: [],
    },
    {
      name: 'nobody was sent home',
      says: 'no request failed for good',
      violations: traffic.failures.length,
      examples: traffic.failures.slice(0, 3).map((failure) => JSON.stringify(failure)),
    },
  ];
  await db.$client.end();
  const hasStopped = await instance.stop();
  outcomes.push({
    name: 'stops when asked',
    says: 'SIGTERM ends every process in order, with code 0',
    violations: hasStopped ? 0 : 1,
    examples: [],
  });
  const report = {
    kills: killed,
    seconds: Math.round(crowd.seconds),
    answers: floor.done.length,
    batches: floor.handedIn.length,
    files: received.files.length,
    jobs: received.jobs.length,
    versions: received.versions,
    requests: crowd.requests,
    retries: traffic.retries,
    statuses: Object.fromEntries(statuses),
    longestSilenceSeconds: Math.round(longestSilence / 1000),
    collected,
    left: tally(crowd.careers.map(({ left }) => left)),
  };
  console.log(options.json ? JSON.stringify({ ...report, outcomes }, null, 2) : textOf(report, outcomes));
  return outcomes.every(({ violations }) => violations === 0);
}

function inAnHour(): Date {
  return new Date(Date.now() + HOUR_MS);
}

async function joinAsCurator(client: Client, token: string): Promise<void> {
  const account = { name: 'Chaos Curator', email: 'curator@chaos.example', password: crypto.randomUUID() };
  await client.ask('join', '/invitations/accept', { method: 'POST', json: { token, account } });
  await client.signIn(account.email, account.password);
}

/** How long nobody got an answer through. */
function watchSilence(floor: Floor, tell: (ms: number) => void): NodeJS.Timeout {
  let last = { answers: floor.done.length, at: Date.now() };
  return setInterval(() => {
    if (floor.done.length !== last.answers) last = { answers: floor.done.length, at: Date.now() };
    tell(Date.now() - last.at);
  }, 250);
}

/** Until no job waits or runs; what does not end in time shows in the table as lost. */
async function drain(db: Database): Promise<void> {
  const { jobs } = tables;
  const deadline = Date.now() + DRAIN_MS;
  while (Date.now() < deadline) {
    const active = await db
      .select({ id: jobs.id })
      .from(jobs)
      .where(inArray(jobs.state, [...activeStates]))
      .catch(() => [{}]);
    if (active.length === 0) return;
    await sleep(500);
  }
}

function tally(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

function textOf(report: object, outcomes: readonly Outcome[]): string {
  const facts = Object.entries(report).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const rows = outcomes.map(({ name, says, violations, examples }) =>
    [name, violations, says, examples.join(' ')].join(' | '),
  );
  const table = ['invariant | violations | what has to hold | examples', '--- | --: | --- | ---', ...rows];
  return [...facts, '', ...table.map((row) => `| ${row} |`)].join('\n');
}
