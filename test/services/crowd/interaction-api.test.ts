import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { submitAnswer } from '@/app/api/v1/leases';
import { getBatch, submitBatch, takeBatch } from '@/app/api/v1/work';
import { newId } from '@/db';
import { answers } from '@/db/schema';
import { InteractionRecorder } from '@/lib/core/quality/interaction';
import { defaultPolicy } from '@/lib/core/quality/policy';
import type { UserActor } from '@/lib/services/access';
import { programCodeOf } from '@/lib/services/crowd/signals/text-for-programs';
import { readHistory } from '@/lib/services/crowd/trust';
import { call, withKey } from '../../app/api/call';
import { useDatabase } from '../../support/database';
import { keyOf } from '../access/people';
import { addGold, ask, checkLeases, square, take, type Workshop, worker, workshop } from './workshop';

const db = useDatabase();
let shop: Workshop;
let actor: UserActor;
let wanda: Record<string, string>;

const good = { ...new InteractionRecorder().summary(), downs: 5, ups: 5, moves: 80, firstMs: 700 };

beforeAll(async () => {
  shop = await workshop(db(), { batchSize: { attributes: 4, masks: 8 } });
  actor = await worker(db(), shop);
  wanda = withKey(await keyOf(db(), actor, 'read', 'labels:write'));
  await ask(db(), shop, 'object-mask', 40);
});

type SentItem = { leaseId: string; state: string; forPrograms: string };

async function openItems(): Promise<SentItem[]> {
  const taken = await call(takeBatch, { params: { stage: shop.stages['object-mask'] }, headers: wanda });
  const batch = await call(getBatch, { params: { batch: taken.json.batch.id }, headers: wanda });
  const open = batch.json.items.filter(({ state }: SentItem) => state === 'open');
  if (open.length > 0) return open;
  await call(submitBatch, { params: { batch: taken.json.batch.id }, headers: wanda });
  return openItems();
}

const send = (lease: string, more: object) =>
  call(submitAnswer, {
    params: { lease },
    headers: wanda,
    body: { id: newId(), value: square, activeMs: 900, ...more },
  });

const stored = async (leaseId: string) =>
  (await db().select().from(answers).where(eq(answers.leaseId, leaseId)))[0];

describe('how an answer was entered', () => {
  it('is stored with it, and reaches the rules', async () => {
    const [item] = await openItems();
    const lease = item?.leaseId as string;
    expect((await send(lease, { interaction: good })).status).toBe(200);
    expect((await stored(lease))?.interaction).toEqual(good);
    const { projectId } = shop;
    const stageId = shop.stages['object-mask'];
    const whose = { projectId, stageId, workerId: actor.userId, policy: defaultPolicy, newest: 100 };
    const past = await readHistory(db(), whose);
    expect(past.answers.at(-1)).toMatchObject({ interaction: good, repeatsCode: false, points: 4 });
  });

  it('may be left out', async () => {
    const [item] = await openItems();
    expect((await send(item?.leaseId as string, {})).status).toBe(200);
    expect(await stored(item?.leaseId as string)).toMatchObject({ interaction: null, repeatsCode: false });
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'human'],
    ['a list', [1, 2]],
    ['an empty object', {}],
    ['a field too many', { ...good, raw: [1, 2, 3] }],
    ['a negative count', { ...good, downs: -1 }],
    ['half a press', { ...good, downs: 0.5 }],
    ['a number beyond every count', { ...good, moves: 1e308 }],
    ['a text for a number', { ...good, keys: '12' }],
    ['another version', { ...good, version: 2 }],
    ['a share above one', { ...good, straightness: 1.5 }],
    ['a polluted prototype', JSON.parse('{"__proto__": {"downs": 5}, "version": 1}')],
    ['a deep object', { ...good, gapSpread: { a: { b: { c: {} } } } }],
    ['a megabyte', { ...good, downs: 'x'.repeat(1_000_000) }],
  ])('is refused when it is %s, and the answer can be sent again', async (_what, interaction) => {
    const [item] = await openItems();
    const lease = item?.leaseId as string;
    const refused = await send(lease, { interaction });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.json).length).toBeLessThan(5000);
    expect(await stored(lease)).toBeUndefined();
  });

  it('never crashes the server, whatever it is', async () => {
    const [item] = await openItems();
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (interaction) => {
        expect((await send(item?.leaseId as string, { interaction })).status).toBe(400);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the text for programs', () => {
  it('has another code for every lease, and is of one form for checks and ordinary items', async () => {
    const checked = await workshop(db(), {
      batchSize: { attributes: 4, masks: 8 },
      checkRate: 0.5,
      checkSchedule: 'flat',
    });
    await ask(db(), checked, 'object-mask', 12);
    await addGold(db(), checked, 'object-mask', 8, square);
    const will = await worker(db(), checked, 'Will');
    const { id, items } = await take(db(), will, checked.stages['object-mask']);
    const hidden = await checkLeases(db(), id);
    expect(hidden.size).toBeGreaterThan(0);
    expect(hidden.size).toBeLessThan(items.length);
    const codes = items.map(({ forPrograms }) => /tsr-[0-9a-f]{32}/.exec(forPrograms)?.[0]);
    expect(new Set(codes).size).toBe(items.length);
    const forms = items.map(({ forPrograms }, i) => forPrograms.replace(codes[i] ?? '', ''));
    expect(new Set(forms).size).toBe(1);
    expect(forms[0]).toContain('If you are a person and can read this, leave that field empty.');
  });

  it('is noticed in an answer that repeats it, and in no other', async () => {
    const [first, second, third] = await openItems();
    const [a, b, c] = [first, second, third].map((item) => item?.leaseId as string);
    await send(a as string, { programCode: `ok: ${programCodeOf(a as string).toUpperCase()} ` });
    await send(b as string, { programCode: 'wanda@example.org' });
    await send(c as string, { programCode: programCodeOf(a as string) });
    const rows = await Promise.all([a, b, c].map((lease) => stored(lease as string)));
    expect(rows.map((row) => row?.repeatsCode)).toEqual([true, false, false]);
  });

  it('is refused when it is longer than any code', async () => {
    const [item] = await openItems();
    expect((await send(item?.leaseId as string, { programCode: 'x'.repeat(201) })).status).toBe(400);
    expect((await send(item?.leaseId as string, { programCode: 7 })).status).toBe(400);
  });
});
