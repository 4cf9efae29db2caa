import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from '@/bin/actor';
import { connect, type Database, newId } from '@/db';
import { defaultPolicy, type Policy } from '@/lib/core/quality/policy';
import { defaultRules } from '@/lib/core/quality/rules';
import { castCrew } from '@/lib/demo/simulation/crew';
import { Client } from '@/lib/demo/simulation/http/client';
import type { Floor } from '@/lib/demo/simulation/http/floor';
import { runCrowd } from '@/lib/demo/simulation/http/run-crowd';
import { Traffic } from '@/lib/demo/simulation/http/traffic';
import { KnownScenes } from '@/lib/demo/simulation/known-scenes';
import { createInvitation } from '@/lib/services/accounts';
import { checkFiles } from '@/lib/services/invariants/check-files';
import { checkRules, type Outcome } from '@/lib/services/invariants/check-rules';
import { storage } from '@/lib/services/storage';
import { collectBlobs } from '@/lib/services/storage/collect-blobs';
import { fillProject } from '../crowd/fill';
import { checkAcknowledged } from './acknowledged';
import { curate } from './curator';
import type { Instance } from './instance';
import { drain, say } from './report';

export interface AtWork {
  /** People of the crowd, and how many times faster than people they work. */
  crowd: number;
  speed: number;
  seed: number;
  /** A bound only: the end of the disturbance ends the work. */
  seconds: number;
  policy?: Partial<Policy>;
  /** Pictures to ask about. */
  pictures?: number;
}

const HOUR_MS = 3_600_000;
const PICTURES = 1500;
const GOLD = 120;
/** Somebody who waits for a server that is restarted, also on a machine that is busy with other things. */
const patience = { tries: 400, maxWaitMs: 2_500 };
/** Work goes on for a moment after the last restart. */
const CALM_MS = 10_000;

/**
 * A crowd and a curator work on an instance while something is done to it. Afterwards every acknowledged write has
 * to be there and every invariant has to hold.
 */
export async function disturbWork<T extends object>(
  instance: Instance,
  work: AtWork,
  disturb: (floor: Floor, db: Database) => Promise<T>,
): Promise<{ facts: object; outcomes: Outcome[] }> {
  Object.assign(process.env, { TESSERA_HOME: instance.home });
  const db = connect(instance.databaseUrl, { max: 3 });
  const scenes = new KnownScenes('rival10');
  const project = await fillProject(db, scenes, {
    slug: `chaos-${newId().slice(-8)}`,
    policy: { ...defaultPolicy, gold: { ...defaultPolicy.gold, maxExposures: 10_000 }, ...work.policy },
    rules: defaultRules,
    pictures: work.pictures ?? PICTURES,
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
  const crew = castCrew({ careful: 5, average: 4 }, work.crowd, work.seed);
  let floor: Floor | undefined;
  let disturbed: T | undefined;
  let disturbing: Promise<void> = Promise.resolve();
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
    seconds: work.seconds,
    speed: work.speed,
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
      disturbing = disturb(begun, db)
        .then(async (facts) => {
          disturbed = facts;
          await instance.untilReady(instance.urls);
          await sleep(CALM_MS);
        })
        .finally(() => {
          clearInterval(silence);
          end.abort();
        });
    },
  });
  await disturbing;
  const received = await curating.promise;
  if (!floor || !received || !disturbed) throw new Error('The crowd has not begun.');
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
  const facts = {
    ...disturbed,
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
  return { facts, outcomes };
}

function inAnHour(): Date {
  return new Date(Date.now() + HOUR_MS);
}

async function joinAsCurator(client: Client, token: string): Promise<void> {
  const account = { name: 'Chaos Curator', email: 'curator@chaos.example', password: crypto.randomUUID() };
  await client.request('join', '/invitations/accept', { method: 'POST', json: { token, account } });
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

function tally(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
