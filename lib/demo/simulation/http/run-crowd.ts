import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { forEachConcurrently } from '@/lib/core/concurrency';
import { TesseraError } from '@/lib/core/errors';
import type { Scene } from '@/lib/demo/scenes';
import { createRng } from '@/lib/demo/scenes/prng';
import type { Member } from '../crew';
import { Notebook } from '../question';
import { Client, type Fetch, RequestRefused, type RetryPolicy } from './client';
import { type Career, type Floor, LeakWatch } from './floor';
import type { SentProject } from './messages';
import type { Traffic } from './traffic';
import { SimulatedWorker } from './worker';

export interface CrowdRun {
  url: string;
  fetch?: Fetch;
  traffic: Traffic;
  project: SentProject;
  /** An invitation with a seat for everybody of the crew. */
  token: string;
  crew: readonly Member[];
  seconds: number;
  /** How many times faster than people they work; Infinity: without any waiting. */
  speed: number;
  /** Everybody has joined, and the work begins. */
  onBegin?: (floor: Floor) => void;
  /** Over how many seconds they arrive, evenly; not given: all begin at the same moment. */
  arriveWithin?: number;
  sceneOf(picture: string): Scene | null;
  retryPolicy?: RetryPolicy;
  /** Ends the work before its time. */
  signal?: AbortSignal;
  onProgress?: (text: string) => void;
}

export interface CrowdOutcome {
  careers: Career[];
  floor: Floor;
  /** From the first batch on, without the joining. */
  seconds: number;
  requests: number;
}

/** People who join at a time: each costs the server two slow hashes of a password. */
const JOINING_AT_ONCE = 4;

const PROGRESS_MS = 1000;

/** Lets the crew in, and has it work until the time or the work is over. */
export async function runCrowd(run: CrowdRun): Promise<CrowdOutcome> {
  const { traffic, project, crew } = run;
  const clients = await joinAll(run);
  const time = new AbortController();
  // Everybody listens to the clock.
  setMaxListeners(2 * crew.length + 10, time.signal);
  const floor: Floor = {
    stages: project.stages.filter(({ state }) => state === 'open'),
    projectId: project.id,
    sceneOf: (picture) => run.sceneOf(picture),
    notebook: new Notebook(),
    watch: new LeakWatch(),
    done: [],
    handedIn: [],
    holding: 0,
    closed: 0,
    speed: run.speed,
    signal: time.signal,
    random: (seed) => createRng(seed).fork('answers'),
  };
  run.onBegin?.(floor);
  const before = traffic.requests;
  const began = performance.now();
  const timer = setTimeout(() => time.abort(), 1000 * run.seconds);
  run.signal?.addEventListener('abort', () => time.abort(), { once: true });
  const progress = reportProgress(run, floor, began);
  const gap = (1000 * (run.arriveWithin ?? 0)) / crew.length;
  const careers = await Promise.all(
    crew.map(async (member, i) => {
      if (gap > 0) await sleep(i * gap, undefined, { signal: time.signal }).catch(() => {});
      return workAs(member, clients[i] as Client, floor);
    }),
  );
  clearTimeout(timer);
  clearInterval(progress);
  const seconds = (performance.now() - began) / 1000;
  return { careers, floor, seconds, requests: traffic.requests - before };
}

/** Somebody whom the server failed goes home; the failure is in the traffic. Any other fault is one of the simulation. */
async function workAs(member: Member, client: Client, floor: Floor): Promise<Career> {
  const worker = new SimulatedWorker(member, client, floor);
  return worker.work().catch((error) => {
    if (!(error instanceof RequestRefused || error instanceof TesseraError)) throw error;
    return { ...worker.career, left: 'failed' as const };
  });
}

function reportProgress({ onProgress, seconds }: CrowdRun, floor: Floor, began: number) {
  return setInterval(() => {
    const passed = Math.round((performance.now() - began) / 1000);
    onProgress?.(`${floor.done.length.toLocaleString('en')} answers, ${passed} of ${seconds} s`);
  }, PROGRESS_MS);
}

async function joinAll(run: CrowdRun): Promise<Client[]> {
  const clients = new Map<Member, Client>();
  await forEachConcurrently(JOINING_AT_ONCE, run.crew, async (member) => {
    clients.set(member, await joinAs(member, run));
    run.onProgress?.(`${clients.size} of ${run.crew.length} have joined`);
  });
  return run.crew.map((member) => clients.get(member) as Client);
}

async function joinAs({ number, behaviour }: Member, run: CrowdRun): Promise<Client> {
  // Everybody comes from an address of their own, in the range that RFC 2544 sets aside for benchmarks.
  const headers = { 'x-forwarded-for': `198.18.${Math.floor(number / 250)}.${(number % 250) + 1}` };
  const client = new Client(run.url, run.traffic, run.fetch ?? fetch, headers, run.retryPolicy);
  const pseudonym = `sim-${behaviour}-${number}-${crypto.randomUUID().slice(0, 8)}`;
  const account = { pseudonym, password: crypto.randomUUID() };
  const joining = { method: 'POST', json: { token: run.token, account } } as const;
  const { email } = await client.request<{ email: string }>('join', '/invitations/accept', joining);
  await client.signIn(email, account.password);
  return client;
}
