import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Endpoint, isSchema } from '@/app/api/_http/endpoint';
import { endpoints } from '@/app/api/v1/endpoints';
import { newId, tables } from '@/db';
import { projectStates, roles } from '@/db/schema';
import { type Scope, scopeIds, type UserActor } from '@/lib/services/access';
import { browserOf, origin, withKey } from '../../app/api/call';
import { idFor } from '../../fuzz/attacks';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { type Ids, oneOfEach, type World } from '../../support/one-of-each';
import { join, keyOf, person, project } from './people';
import {
  type Caller,
  callers,
  hasRight,
  isOnProject,
  isOpen,
  openResources,
  policyRows,
  type Row,
  type State,
} from './policy-table';

/**
 * Every endpoint × state of the project × role × credential, through the handler that Next calls, against the table.
 * What is expected, down to the words, follows from the table alone.
 */
type Headers = Record<string, string>;
/** Thousands of requests, also on a machine that is busy with other things: a table that is cut off tells nothing. */
const timeout = 600_000;
/** By cookie, by a key that carries just the scope of the verb, by one that carries all the others. */
const credentials = ['cookie', 'fitting key', 'other key'] as const;
type Credential = (typeof credentials)[number];

const db = useDatabase();
useHome();
const people = {} as Record<Caller, UserActor>;
const headersOf = new Map<string, Headers>();
/** Credentials that were good once, of people who may do everything. */
const DEAD = 10;
const dead: Record<string, Headers> = {};
let world: World;
let practice = '';

const nameOf = (entry: Endpoint) => `${entry.method} ${entry.path.replace('/api/v1', '')}`;
const byName = new Map(endpoints.map((entry) => [nameOf(entry), entry]));
const cells = policyRows.flatMap((row) =>
  row.resources.map((name) => ({ row, name, entry: byName.get(name) as Endpoint })),
);
const paths = (entry: Endpoint) => [...entry.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);

const scopesFor = (scope: Row['scope'], credential: Credential, caller: Caller): Scope[] => {
  if (credential === 'other key') return scopeIds.filter((id) => id !== scope);
  const fitting = scope === 'never' ? [...scopeIds] : [scope];
  // An admin acts as one only by a key that says so; a trainer's key needs nothing besides.
  return caller === 'admin' && scope !== 'trainers' ? [...new Set([...fitting, 'admin' as const])] : fitting;
};

beforeAll(async () => {
  world = await oneOfEach(db());
  // The batch, its leases and the decision are of the member, who is to be a worker and nothing else.
  await db().delete(tables.memberships).where(eq(tables.memberships.userId, world.member.userId));
  people.worker = world.member;
  for (const name of callers) people[name] ??= await person(db(), name, name === 'admin');
  for (const role of roles) await join(db(), people[role], world.ids.project as string, role);
  await join(db(), people.stranger, (await project(db(), 'Elsewhere')).id, ...roles);
  practice = await leaseOfPractice();
  for (const caller of callers) {
    headersOf.set(`${caller} cookie`, await browserOf(people[caller].email));
    for (const scope of [...scopeIds, 'never'] as const)
      for (const credential of ['fitting key', 'other key'] as const) {
        const key = await keyOf(db(), people[caller], ...scopesFor(scope, credential, caller));
        headersOf.set(`${caller} ${credential} ${scope}`, withKey(key));
      }
  }
  await bury();
});

/** An item of practice, the only kind that has feedback. */
async function leaseOfPractice(): Promise<string> {
  const { shop, ids, member } = world;
  const [gold] = await db()
    .select()
    .from(tables.gold)
    .where(eq(tables.gold.id, ids.gold as string));
  const [batchId, leaseId] = [newId(), newId()];
  await db()
    .insert(tables.batches)
    .values({
      id: batchId,
      projectId: shop.projectId,
      stageId: shop.stages['part-mask'],
      workerId: member.userId,
      kind: 'practice',
      leasedUntil: new Date(Date.now() + 3_600_000),
    });
  const itemId = gold?.itemId as string;
  await db()
    .insert(tables.leases)
    .values({ id: leaseId, batchId, itemId, workerId: member.userId, position: 0, isExtra: true });
  await db()
    .insert(tables.checks)
    .values({ leaseId, goldId: ids.gold as string, workerId: member.userId });
  return leaseId;
}

async function bury(): Promise<void> {
  const { apiKeys, sessions, users } = tables;
  const past = new Date(Date.now() - 60_000);
  const lost = async (name: string) => {
    const actor = await person(db(), name, true);
    await join(db(), actor, world.ids.project as string, ...roles);
    return actor;
  };
  const [expired, ended, disabled, revoked, outdated] = await Promise.all(
    ['expired', 'ended', 'disabled', 'revoked', 'outdated'].map(lost),
  );
  const all = { expired, ended, disabled, revoked, outdated } as Record<string, UserActor>;
  const id = (name: string) => (all[name] as UserActor).userId;
  const cookie = (name: string) => browserOf((all[name] as UserActor).email);
  const key = async (name: string) => withKey(await keyOf(db(), all[name] as UserActor, ...scopeIds));
  Object.assign(dead, {
    nothing: { origin: 'http://localhost:3000' },
    'a session that has expired': await cookie('expired'),
    'a session that was ended': await cookie('ended'),
    'the session of a disabled account': await cookie('disabled'),
    'the key of a disabled account': await key('disabled'),
    'a revoked key': await key('revoked'),
    'a key whose time is over': await key('outdated'),
    'a key that nobody made': withKey(`tess_${'a'.repeat(43)}`),
    'a key beside a good cookie': { ...headersOf.get('admin cookie'), ...withKey('tess_wrong') },
  });
  const forged = headersOf.get('admin cookie') as Headers;
  const cookies = forged.cookie
    ?.split('; ')
    .map((pair) => (pair.includes('session_token') ? `${pair.slice(0, -8)}AAAAAA%3D` : pair));
  dead['a cookie with another signature'] = { ...forged, cookie: cookies?.join('; ') ?? '' };
  await db()
    .update(sessions)
    .set({ expiresAt: past })
    .where(eq(sessions.userId, id('expired')));
  await db()
    .delete(sessions)
    .where(eq(sessions.userId, id('ended')));
  await db()
    .update(users)
    .set({ disabledAt: past })
    .where(eq(users.id, id('disabled')));
  await db()
    .update(apiKeys)
    .set({ revokedAt: past })
    .where(eq(apiKeys.userId, id('revoked')));
  await db()
    .update(apiKeys)
    .set({ expiresAt: past })
    .where(eq(apiKeys.userId, id('outdated')));
}

/** The brake on requests is tested elsewhere. */
const loosenBrake = () => (globalThis as { tesseraBuckets?: Map<string, unknown> }).tesseraBuckets?.clear();
const projectId = () => world.ids.project as string;
const setState = (state: State) =>
  db().update(tables.projects).set({ state }).where(eq(tables.projects.id, projectId()));

/** Carried out when it is allowed, because it has no body that could be wrong. */
const isCarriedOut = (entry: Endpoint) => entry.method !== 'GET' && entry.body === undefined;

/** What a delete would take away is asked for by an id that nothing has: who is let in hears about that. */
function idsFor(row: Row, entry: Endpoint): Record<string, string> {
  const ids = { ...world.ids, lease: entry.path.endsWith('/feedback') ? practice : world.ids.lease } as Ids;
  const names = paths(entry);
  const isTaken = (index: number) =>
    entry.method === 'DELETE' && index === names.length - 1 && (index > 0 || !isOnProject(row));
  return Object.fromEntries(
    names.map((name, index) => [name, (!isTaken(index) && idFor(name, ids, entry.path)) || newId()]),
  );
}

const nothing = (entry: Endpoint) => Object.fromEntries(paths(entry).map((name) => [name, newId()]));

interface Heard {
  status: number;
  says: string;
  /** All of it but the id of the request. */
  text: string;
}

async function ask(entry: Endpoint, headers: Headers, params: Record<string, string>): Promise<Heard> {
  const stop = new AbortController();
  const path = entry.path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? '');
  // No schema takes a list, so whoever is let in is refused for the body and nothing is changed.
  const body = entry.method !== 'GET' && isSchema(entry.body) ? '[]' : undefined;
  const request = new Request(`${origin}${path}`, {
    method: entry.method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    body,
    signal: stop.signal,
  });
  const reply = await entry.handle(request, params);
  const isJson = /json/.test(reply.headers.get('content-type') ?? '');
  const text = isJson ? await reply.text() : '';
  // A stream of events ends when nobody listens.
  stop.abort();
  const { detail, requestId } = reply.status >= 400 ? JSON.parse(text) : { detail: '', requestId: '' };
  return { status: reply.status, says: detail, text: requestId ? text.replace(requestId, '') : text };
}

type Verdict = { status: number; says: string } | 'let in';

/** What the table says about a cell. */
function verdictOf(row: Row, entry: Endpoint, state: State, caller: Caller, credential: Credential): Verdict {
  if (credential !== 'cookie' && row.scope === 'never')
    return { status: 404, says: 'API keys cannot do this: sign in instead.' };
  if (credential === 'other key')
    return { status: 404, says: `This API key does not have the scope "${row.scope}".` };
  if (isList(entry)) return 'let in';
  if (!mayDo(row, caller)) return { status: 404, says: hiddenAs(row, entry) };
  return isOpen(row, state) ? 'let in' : { status: 409, says: `The project is ${state}: ` };
}

/** For verbs of the instance a role means that role in any project, and the stranger has all of them elsewhere. */
const mayDo = (row: Row, caller: Caller) =>
  hasRight(row, caller) || (caller === 'stranger' && !isOnProject(row) && /[CRW]/.test(row.who));

/** Lists over all projects, from which what one may not see is left out. */
const isList = (entry: Endpoint) => typeof entry.authorise === 'object' && paths(entry).length === 0;

/** Below `/jobs` and `/work` the thing itself is looked for, elsewhere the project that it belongs to. */
function hiddenAs(row: Row, entry: Endpoint): string {
  const child = typeof entry.authorise === 'object' ? paths(entry).at(-1) : 'project';
  return `There is no such ${isOnProject(row) ? child : 'page'}.`;
}

function isAsWanted(heard: Heard, verdict: Verdict, row: Row, entry: Endpoint, state: State): boolean {
  const { status, says } = heard;
  if (verdict !== 'let in') return status === verdict.status && says.startsWith(verdict.says);
  const isHidden = status === 404 && (says === hiddenAs(row, entry) || says.includes('API key'));
  const isClosed = status === 409 && says.startsWith(`The project is ${state}: `);
  return !isHidden && !isClosed && ![401, 403, 429].includes(status) && status < 500;
}

/** All of them in one state. In each of the others a cookie or a key in turn: the gate itself is asked about every one. */
const credentialsIn = (state: State, turn: number): readonly Credential[] =>
  state === 'collecting'
    ? credentials
    : [credentials[(turn + projectStates.indexOf(state)) % 2] as Credential];

let counted = 0;
/** What each caller hears about ids that nothing has, which no state of a project can change. */
const missingAs = new Map<string, string>();

async function look(row: Row, name: string, entry: Endpoint, state: State): Promise<string[]> {
  const wrong: string[] = [];
  const one = async (caller: Caller, credential: Credential) => {
    const headers = headersOf.get(
      credential === 'cookie' ? `${caller} cookie` : `${caller} ${credential} ${row.scope}`,
    ) as Headers;
    const verdict = verdictOf(row, entry, state, caller, credential);
    const heard = await ask(entry, headers, idsFor(row, entry));
    counted += 1;
    const cell = `${name}, ${state}, ${caller} by ${credential}`;
    const tell = (what: string) => wrong.push(`${cell}: ${what}`);
    if (!isAsWanted(heard, verdict, row, entry, state))
      tell(`${heard.status} ${heard.says} instead of ${JSON.stringify(verdict)}`);
    if (isList(entry) && verdict === 'let in' && !mayDo(row, caller) && heard.text.includes(projectId()))
      tell('the list holds what is hidden');
    // Forbidden and missing are told in the same words.
    if (verdict !== 'let in' && verdict.status === 404) {
      const about = `${name} ${caller} ${credential}`;
      const missing = missingAs.get(about) ?? (await ask(entry, headers, nothing(entry))).text;
      missingAs.set(about, missing);
      if (missing !== heard.text) tell(`${heard.text} is not ${missing}`);
    }
  };
  const all = callers.flatMap((caller) =>
    credentialsIn(state, name.length + callers.indexOf(caller)).map(
      (credential) => [caller, credential] as const,
    ),
  );
  if (!isCarriedOut(entry)) await Promise.all(all.map(([caller, credential]) => one(caller, credential)));
  else
    for (const [caller, credential] of all) {
      // The one before may have archived it.
      await setState(state);
      await one(caller, credential);
    }
  return wrong;
}

describe('the policy table over HTTP', () => {
  it('has a line for every endpoint', () => {
    const named = [...policyRows.flatMap((row) => row.resources), ...openResources];
    expect(named.toSorted()).toEqual([...byName.keys()].toSorted());
  });

  it('lets a key that may only read change nothing', () => {
    const changing = policyRows.filter((row) => row.scope === 'read').flatMap((row) => row.resources);
    expect(changing.filter((name) => !name.startsWith('GET '))).toEqual([]);
  });

  for (const state of projectStates) {
    it(`holds for every endpoint, role and credential while a project is ${state}`, { timeout }, async () => {
      const wrong: string[] = [];
      for (const { row, name, entry } of cells) {
        if (!isOnProject(row) && state !== 'collecting') continue;
        loosenBrake();
        await setState(state);
        wrong.push(...(await look(row, name, entry, state)));
      }
      expect(wrong).toEqual([]);
    });
  }

  it('opens nothing to a credential that is no good any more', async () => {
    await setState('collecting');
    const wrong: string[] = [];
    for (const { name, entry, row } of cells) {
      loosenBrake();
      const heard = await Promise.all(
        Object.entries(dead).map(async ([what, headers]) => ({
          what,
          ...(await ask(entry, headers, idsFor(row, entry))),
        })),
      );
      counted += heard.length;
      for (const { what, status, says } of heard)
        if (status !== 401 || says !== 'Sign in, or send an API key.')
          wrong.push(`${name} with ${what}: ${status} ${says}`);
    }
    expect(wrong).toEqual([]);
  });

  it(`was asked about all of its ${allCells()} cells`, () => {
    expect(counted).toBe(allCells());
  });
});

/** What belongs to the instance knows no states; what is no good any more is asked in one. */
function allCells(): number {
  const onProject = cells.filter(({ row }) => isOnProject(row)).length;
  const whole = cells.length * callers.length * credentials.length;
  const inOtherStates = onProject * (projectStates.length - 1) * callers.length;
  return whole + inOtherStates + cells.length * DEAD;
}
