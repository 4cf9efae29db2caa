import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Endpoint, isSchema } from '@/app/api/_http/endpoint';
import { endpoints } from '@/app/api/v1/endpoints';
import { newId } from '@/db';
import { createRng } from '@/lib/core/robustness/random';
import { scopeIds } from '@/lib/services/access';
import { decideAboutGold } from '@/lib/services/crowd/gold';
import { cancelPayout, markPaid, sendPayout } from '@/lib/services/crowd/pay';
import { answerAppeal, decideByHand } from '@/lib/services/crowd/trust';
import { idFor, schemaOf } from '../../fuzz/attacks';
import { valueFrom } from '../../fuzz/from-schema';
import { keyOf } from '../../services/access/people';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { type Ids, oneOfEach, type World } from '../../support/one-of-each';
import { browserOf, call, withKey } from './call';

/**
 * Somebody with every role in a project of their own asks for each thing of another project by its true id, in the path
 * and in whatever else of a request can hold an id. What they hear must be what they hear about an id that nothing has.
 */
const db = useDatabase();
useHome();
const callers: Record<string, Record<string, string>> = {};
let own: World;
let foreign: World;
let before = '';

beforeAll(async () => {
  [own, foreign] = [await oneOfEach(db(), 'Cora'), await oneOfEach(db(), 'Fred')];
  callers['by cookie'] = await browserOf(own.member.email);
  callers['by key'] = withKey(await keyOf(db(), own.member, ...scopeIds));
  before = await foreignRows();
});

const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
const children = (entry: Endpoint) => namesIn(entry.path).filter((name) => name !== 'project');
const titled = (list: readonly Endpoint[]) =>
  list.map((entry) => [`${entry.method} ${entry.path}`, entry] as const);

const paramsOf = (entry: Endpoint, ids: Ids) =>
  Object.fromEntries(namesIn(entry.path).map((name) => [name, idFor(name, ids, entry.path) ?? newId()]));

/** What the schemas of an endpoint let through, the same for the same try, with these ids in it. */
function inputOf(entry: Endpoint, attempt: number, ids: (field: string) => string) {
  const making = { chance: createRng(`${entry.method} ${entry.path} ${attempt}`), wildness: 0, idFor: ids };
  const body = isSchema(entry.body) ? valueFrom(schemaOf(entry.body), making) : undefined;
  const query = entry.query ? valueFrom(schemaOf(entry.query), making) : {};
  const { cursor: _, ...asked } = query as Record<string, unknown>;
  const text = new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]));
  return { body: entry.method === 'GET' ? undefined : (body ?? {}), query: `?${text}` };
}

/** Without ids, moments and signatures: what is left tells whether two answers say the same. */
const plain = (json: unknown) =>
  JSON.stringify(json ?? null)
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '#')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '@');

/** Some answers are streams, not JSON. */
const ask = async (entry: Endpoint, input: Parameters<typeof call>[1]) => {
  const { status, json } = await call(entry, input).catch(() => ({ status: 200, json: 'a file' }));
  return { status, says: plain(json) };
};

async function foreignRows(): Promise<string> {
  const { rows } = await db().execute<{ name: string }>(
    sql`select table_name as name from information_schema.columns
        where table_schema = 'public' and column_name = 'project_id' order by 1`,
  );
  const digest = createHash('sha256');
  for (const { name } of rows) {
    const found = await db().execute<{ text: string }>(
      sql`select t::text as text from ${sql.identifier(name)} t where project_id = ${foreign.ids.project} order by 1`,
    );
    digest.update(name + found.rows.map((row) => row.text).join('\n'));
  }
  return digest.digest('hex');
}

describe('a thing of another project', () => {
  const byChild = endpoints.filter((entry) => children(entry).length > 0 && entry.authorise !== 'public');
  const mostTries = 60;

  it.each(titled(byChild))('cannot be told by its id from nothing: %s', async (_, entry) => {
    for (const [how, headers] of Object.entries(callers)) {
      for (const name of children(entry)) {
        const about = (child: string | undefined, attempt: number) =>
          ask(entry, {
            headers,
            params: { ...paramsOf(entry, own.ids), [name]: child ?? newId() },
            ...inputOf(entry, attempt, (field) => idFor(field, own.ids, entry.path) ?? newId()),
          });
        let attempt = 0;
        // A body that a rule beyond the schema refuses would be refused before anybody looks for the id.
        while ((await about(newId(), attempt)).status !== 404 && attempt < mostTries) attempt += 1;
        const missing = await about(newId(), attempt);
        expect(missing.status, `${how} ${name}: ${missing.says}`).toBe(404);
        const there = await about(idFor(name, foreign.ids, entry.path), attempt);
        expect(there, `${how} ${name}`).toEqual(missing);
      }
    }
  });

  it('is not told from nothing by a key that lacks the scope', async () => {
    const headers = withKey(await keyOf(db(), own.member));
    for (const entry of byChild) {
      const strange = Object.fromEntries(namesIn(entry.path).map((name) => [name, newId()]));
      const missing = await ask(entry, { headers, params: strange });
      expect(missing.status, entry.path).toBe(404);
      expect(await ask(entry, { headers, params: paramsOf(entry, foreign.ids) }), entry.path).toEqual(
        missing,
      );
    }
  });

  const uuids = (schema: unknown): boolean => JSON.stringify(schema ?? {}).includes('"format":"uuid"');
  const byInput = endpoints.filter(
    (entry) =>
      uuids(entry.query && schemaOf(entry.query)) || uuids(isSchema(entry.body) && schemaOf(entry.body)),
  );

  it.each(titled(byInput))('cannot be told by an id in the body or the query: %s', async (_, entry) => {
    const params = paramsOf(entry, own.ids);
    for (let attempt = 0; attempt < 4; attempt++) {
      const headers = Object.values(callers)[attempt % 2] as Record<string, string>;
      const nothing = newId();
      let isAbout = false;
      // Accounts belong to the instance; an `id` alone is made by the client for what it sends.
      const known = (field: string) => field !== 'userId' && idFor(field, foreign.ids, '') !== undefined;
      const missing = inputOf(entry, attempt, (field) => {
        isAbout ||= known(field);
        return known(field) ? nothing : newId();
      });
      if (!isAbout) continue;
      const there = inputOf(entry, attempt, (field) =>
        known(field) ? (idFor(field, foreign.ids, '') as string) : newId(),
      );
      const heard = await ask(entry, { headers, params, ...missing });
      expect(await ask(entry, { headers, params, ...there })).toEqual(heard);
    }
  });

  it('cannot be told by what the services of server actions say about its id', async () => {
    const { stage, worker, gold, appeal, payout } = foreign.ids as Record<string, string>;
    const actor = own.member;
    const verdict = { workerId: worker as string, verdict: 'pause', reason: 'Why not.' } as const;
    const acts: Record<string, [string | undefined, (id: string) => Promise<unknown>]> = {
      gold: [gold, (goldId) => decideAboutGold(db(), actor, { goldId, state: 'retired', reason: 'Out.' })],
      appeal: [
        appeal,
        (appealId) => answerAppeal(db(), actor, { appealId, outcome: 'upheld', reply: 'No.' }),
      ],
      stage: [stage, (stageId) => decideByHand(db(), actor, { ...verdict, stageId, askAgain: false })],
      sent: [payout, (payoutId) => sendPayout(db(), actor, { payoutId })],
      paid: [payout, (payoutId) => markPaid(db(), actor, { payoutId })],
      cancelled: [payout, (payoutId) => cancelPayout(db(), actor, { payoutId })],
    };
    for (const [name, [id, act]] of Object.entries(acts)) {
      const said = (tried: string) => act(tried).then(String, (error: Error) => error.message);
      expect(await said(id ?? ''), name).toBe(await said(newId()));
      expect(await said(id ?? ''), name).toMatch(/^There is no such/);
    }
  });

  it('was changed by none of this', async () => {
    expect(await foreignRows()).toBe(before);
  });
});
