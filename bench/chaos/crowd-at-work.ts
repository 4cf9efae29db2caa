import { setTimeout as sleep } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import { commandLine } from '@/bin/database/enter';
import { connect, type Database, newId } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import type { Policy } from '@/lib/core/quality/policy';
import { defaultPolicy } from '@/lib/core/quality/policy';
import { defaultRules } from '@/lib/core/quality/rules';
import { renderScene } from '@/lib/demo/pictures';
import { generateScene } from '@/lib/demo/scenes';
import { castCrew } from '@/lib/demo/simulation/crew';
import { Client, RequestRefused } from '@/lib/demo/simulation/http/client';
import type { Floor } from '@/lib/demo/simulation/http/floor';
import { countRepeats } from '@/lib/demo/simulation/http/report';
import { runCrowd } from '@/lib/demo/simulation/http/run-crowd';
import { Traffic } from '@/lib/demo/simulation/http/traffic';
import { KnownScenes } from '@/lib/demo/simulation/known-scenes';
import { createInvitation } from '@/lib/services/accounts';
import { checkFiles } from '@/lib/services/invariants/check-files';
import { checkRules, type Outcome } from '@/lib/services/invariants/check-rules';
import { storage } from '@/lib/services/storage';
import { collectBlobs } from '@/lib/services/storage/collect-blobs';
import { fillProject } from '../crowd/fill';
import { drain, type Instance, say } from './instance';

interface AtWork {
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
const retryPolicy = { tries: 400, maxWaitMs: 2_500 };
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
  const curator = new Client(url, traffic, anyWeb, {}, retryPolicy);
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
    retryPolicy,
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
      statement: 'a request is answered, or refused with 503 while something is down: never 500',
      violations: statuses.get(500) ?? 0,
      examples: [],
    },
    {
      name: 'nobody was sent home',
      statement: 'no request failed for good',
      violations: traffic.failures.length,
      examples: traffic.failures.slice(0, 3).map((failure) => JSON.stringify(failure)),
    },
  ];
  await db.$client.end();
  const hasStopped = await instance.stop();
  outcomes.push({
    name: 'stops when asked',
    statement: 'SIGTERM ends every process in order, with code 0',
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

/** What the server said that it has, of what a curator gave it. */
interface Received {
  files: string[];
  jobs: string[];
  versions: number;
}

const FILES = 3;
/** Every so many uploads a version is frozen. */
const FREEZE_EVERY = 3;
const PAUSE_MS = 1500;

/** Adds pictures and freezes versions, over and over, and keeps what was acknowledged. */
async function curate(
  client: Client,
  { project, className, signal }: { project: string; className: string; signal: AbortSignal },
): Promise<Received> {
  const received: Received = { files: [], jobs: [], versions: 0 };
  const post = <T>(path: string, json?: unknown) =>
    client.request<T>('curator', `/projects/${project}${path}`, { method: 'POST', json });
  for (let round = 0; !signal.aborted; round++) {
    try {
      const { id } = await post<{ id: string }>('/uploads', {});
      for (let n = 0; n < FILES; n++) {
        const bytes = await picture(className, round * FILES + n);
        const name = `added-${round}-${n}.jpg`;
        const sent = await client.request<{ file: { id: string } }>(
          'curator',
          `/projects/${project}/uploads/${id}/files?name=${name}`,
          { method: 'PUT', bytes },
        );
        received.files.push(sent.file.id);
      }
      const { jobId } = await post<{ jobId: string }>(`/uploads/${id}/finish`);
      received.jobs.push(jobId);
      if (round % FREEZE_EVERY === 0) {
        received.jobs.push((await post<{ jobId: string }>('/versions', {})).jobId);
        received.versions += 1;
      }
    } catch (error) {
      // What a retry after a lost answer finds done already: the upload is closed. The next round goes on.
      if (!(error instanceof RequestRefused || error instanceof TesseraError)) throw error;
    }
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
  }
  return received;
}

/** From far along the series of scenes: none that the crowd is asked about. */
async function picture(className: string, n: number): Promise<Uint8Array<ArrayBuffer>> {
  const scene = generateScene({ preset: 'rival10', className, seed: 900_000 + n, width: 160, height: 120 });
  return new Uint8Array(await renderScene(scene, { format: 'jpeg', quality: 80 }));
}

/** Compares what the server said it has with what it has. */
async function checkAcknowledged(db: Database, floor: Floor, received: Received): Promise<Outcome[]> {
  const { done, handedIn } = floor;
  const list = (values: readonly unknown[]) => sql.param(values);
  return [
    await outcome(
      db,
      'no answer lost',
      `${done.length} answers that the server took are there`,
      sql`
      select said.id from unnest(${list(done.map((each) => each.answerId))}::uuid[],
        ${list(done.map((each) => each.leaseId))}::uuid[]) as said(id, lease)
      where not exists (select 1 from answers a where a.id = said.id and a.lease_id = said.lease)`,
    ),
    await outcome(
      db,
      'no pay lost',
      `${handedIn.length} batches bring what the server said`,
      sql`
      select said.id from unnest(${list(handedIn.map((each) => each.batchId))}::uuid[],
        ${list(handedIn.map((each) => String(each.amountMicro)))}::bigint[]) as said(id, amount)
      join batches b on b.id = said.id
      where b.state = 'leased' or said.amount <> coalesce((
        select sum(e.amount_micro) from ledger e where e.kind in ('batch', 'exam') and e.source_id = said.id), 0)`,
    ),
    await outcome(
      db,
      'no file lost',
      `${received.files.length} files that were sent became pictures`,
      sql`
      select said.id from unnest(${list(received.files)}::uuid[]) as said(id)
      left join upload_files f on f.id = said.id
      left join uploads u on u.id = f.upload_id
      where f.id is null or (u.state = 'done' and f.state not in ('accepted', 'duplicate'))`,
    ),
    await outcome(
      db,
      'no job lost',
      `${received.jobs.length} jobs that were started are done`,
      sql`
      select said.id from unnest(${list(received.jobs)}::uuid[]) as said(id)
      left join jobs j on j.id = said.id where j.state is distinct from 'done'`,
    ),
    {
      name: 'no item twice',
      statement: 'no worker saw an item a second time after answering it',
      violations: countRepeats(done),
      examples: [],
    },
  ];
}

async function outcome(db: Database, name: string, statement: string, offenders: SQL): Promise<Outcome> {
  const { rows } = await db.execute<{ id: string }>(offenders);
  return { name, statement, violations: rows.length, examples: rows.slice(0, 3).map(({ id }) => id) };
}
