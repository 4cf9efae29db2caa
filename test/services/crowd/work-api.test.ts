import { beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '@/app/api/_http/endpoint';
import { getFeedback, reportItem, saveDraft, submitAnswer } from '@/app/api/v1/leases';
import {
  appealDecision,
  getBatch,
  getSummary,
  heartbeat,
  listWork,
  returnBatch,
  submitBatch,
  takeBatch,
  takeExam,
  takePractice,
} from '@/app/api/v1/work';
import { newId } from '@/db';
import type { UserActor } from '@/lib/services/access';
import { decideByHand } from '@/lib/services/crowd/trust';
import { call, origin, withKey } from '../../app/api/call';
import { useDatabase } from '../../support/database';
import { keyOf, tests } from '../access/people';
import { addGold, ask, marked, square, type Workshop, worker, workshop } from './workshop';

const db = useDatabase();
let shop: Workshop;
let wanda: Record<string, string>;
let will: Record<string, string>;
let actor: UserActor;

beforeAll(async () => {
  shop = await workshop(db(), { batchSize: { attributes: 2, masks: 2 } });
  actor = await worker(db(), shop);
  wanda = withKey(await keyOf(db(), actor, 'read', 'labels:write'));
  will = withKey(await keyOf(db(), await worker(db(), shop, 'Will'), 'read', 'labels:write'));
  await ask(db(), shop, 'attributes', 20);
  await ask(db(), shop, 'object-mask', 20);
});

async function openBatch(stage: keyof Workshop['stages'] = 'object-mask', headers = wanda) {
  const taken = await call(takeBatch, { params: { stage: shop.stages[stage] }, headers });
  expect(taken.status).toBe(200);
  return (await call(getBatch, { params: { batch: taken.json.batch.id }, headers })).json;
}

const answerOf = (lease: string, value: unknown, headers = wanda) =>
  call(submitAnswer, { params: { lease }, headers, body: { id: newId(), value, activeMs: 900 } });

const polygon = (outer: unknown[]) => ({
  kind: 'mask',
  shapes: [{ kind: 'polygon', op: 'add', outer, holes: [] }],
});

describe('doing work over HTTP', () => {
  it('goes from taking a batch to being paid', async () => {
    const batch = await openBatch('attributes');
    expect(batch).toMatchObject({ state: 'leased', stage: { kind: 'attributes' }, items: [{}, {}] });
    const params = { batch: batch.id };
    for (const { leaseId: lease } of batch.items) {
      const body = { revision: 0, document: { choices: {} } };
      expect((await call(saveDraft, { params: { lease }, headers: wanda, body })).json).toEqual({
        revision: 1,
      });
      expect((await answerOf(lease, marked(shop, 'tail'))).status).toBe(200);
    }
    const alive = await call(heartbeat, { params, headers: wanda });
    expect(Date.parse(alive.json.leasedUntil)).toBeGreaterThan(Date.now());
    const closed = await call(submitBatch, { params, headers: wanda });
    expect(closed.json).toEqual({
      id: batch.id,
      state: 'submitted',
      pay: { amountMicro: '1500000', currency: 'USD' },
      review: null,
    });
    expect((await call(heartbeat, { params, headers: wanda })).status).toBe(409);
  });

  it('tells of a draft changed elsewhere with what is there', async () => {
    const batch = await openBatch();
    const params = { lease: batch.items[0].leaseId };
    await call(saveDraft, { params, headers: wanda, body: { revision: 0, document: { mine: true } } });
    const reply = await call(saveDraft, { params, headers: wanda, body: { revision: 0, document: {} } });
    expect(reply.status).toBe(409);
    expect(reply.json.more).toEqual({ revision: 1, document: { mine: true }, done: false });
  });

  it('knows a report by its id', async () => {
    const batch = await openBatch();
    const params = { lease: batch.items[1].leaseId };
    const body = { id: newId(), kind: 'broken-image' };
    for (let sent = 0; sent < 2; sent++) {
      const reply = await call(reportItem, { params, headers: wanda, body });
      expect(reply.json).toEqual({ messageId: body.id, leaseState: 'released' });
    }
    const reused = { ...body, kind: 'comment', text: 'again' };
    const other = { lease: batch.items[0].leaseId };
    expect((await call(reportItem, { params: other, headers: wanda, body: reused })).status).toBe(409);
    const empty = { id: newId(), kind: 'comment', text: ' ' };
    expect((await call(reportItem, { params: other, headers: wanda, body: empty })).status).toBe(400);
    await call(returnBatch, { params: { batch: batch.id }, headers: wanda });
  });

  it('needs a key that may write labels', async () => {
    const reader = withKey(await keyOf(db(), actor, 'read'));
    const params = { stage: shop.stages['object-mask'] };
    expect((await call(takeBatch, { params, headers: reader })).status).toBe(404);
  });
});

describe('the work of others', () => {
  it('cannot be told from work that does not exist, whatever is sent', async () => {
    const batch = await openBatch('object-mask', will);
    const lease = batch.items[0].leaseId;
    const about = [
      [getBatch, 'batch', batch.id],
      [heartbeat, 'batch', batch.id],
      [submitBatch, 'batch', batch.id],
      [returnBatch, 'batch', batch.id],
      [saveDraft, 'lease', lease],
      [submitAnswer, 'lease', lease],
      [reportItem, 'lease', lease],
    ] as const;
    const valid = { id: newId(), value: square, activeMs: 1 };
    for (const [entry, name, id] of about) {
      for (const sent of [{}, valid, { revision: 0, document: {} }]) {
        const body = entry.method === 'GET' ? undefined : sent;
        const replyTo = async (value: string) => {
          const { status, json } = await call(entry, { params: { [name]: value }, headers: wanda, body });
          return { status, ...json, requestId: '' };
        };
        const missing = await replyTo(newId());
        expect(missing.status).toBe(404);
        expect(await replyTo(id)).toEqual(missing);
      }
    }
  });
});

describe('bad input', () => {
  const cases: [string, unknown, RegExp][] = [
    ['NaN as a coordinate', polygon([0, 0, 9, 0, 9, Number.NaN]), /value\.shapes\.0\.outer\.5: .*number/],
    ['a coordinate beyond all images', polygon([0, 0, 9, 0, 9, 1e9]), /value\.shapes\.0\.outer\.5/],
    ['half a vertex', polygon([0, 0, 9, 0, 9, 9, 1]), /come in pairs/],
    ['no shapes', { kind: 'mask', shapes: [] }, /value\.shapes/],
    ['100,001 vertices', polygon(Array.from({ length: 200_002 }, (_, n) => n % 40)), /100,001 vertices/],
    [
      '100,001 vertices in several rings',
      {
        kind: 'mask',
        shapes: Array.from({ length: 3 }, () => ({
          kind: 'stroke',
          op: 'add',
          points: Array.from({ length: 66_668 }, (_, n) => n % 40),
          radius: 1,
        })),
      },
      /100,002 vertices/,
    ],
    [
      'a bitmap of another size',
      { kind: 'mask', shapes: [{ kind: 'bitmap', op: 'add', size: [10, 10], counts: '0d3' }] },
      /shapes\[0\]\.size: a bitmap of 10×10/,
    ],
    [
      'a bitmap that is not one',
      { kind: 'mask', shapes: [{ kind: 'bitmap', op: 'add', size: [48, 64], counts: '?!' }] },
      /shapes\[0\]/,
    ],
    [
      'a drawing beside the image',
      polygon([200, 200, 220, 200, 220, 220]),
      /covers no pixel.*Nothing to label/,
    ],
    ['an answer to another question', { kind: 'class', className: 'dog' }, /asks for mask or nothing/],
    ['a field of their own', { kind: 'nothing', isGold: true }, /isGold/],
  ];

  it.each(cases)('%s is refused with the reason', async (_, value, reason) => {
    const batch = await openBatch();
    const reply = await answerOf(batch.items[0].leaseId, value);
    expect(reply.status).toBe(400);
    expect(reply.json.detail).toMatch(reason);
  });

  it('attributes against the rules of the form are refused with every broken rule', async () => {
    const batch = await openBatch('attributes');
    const choices = { color: ['white', 'black', 'red'], parts: ['none', 'tail'], nonsense: ['x'] };
    const reply = await answerOf(batch.items[0].leaseId, { kind: 'attributes', choices });
    expect(reply.status).toBe(400);
    expect(reply.json.detail).toContain('at most 2');
    const codes = reply.json.more.problems.map((problem: { code: string }) => problem.code);
    expect(codes).toEqual(
      expect.arrayContaining(['unknown-group', 'too-many', 'none-with-others', 'too-few']),
    );
  });

  /** A body as it is, for what JSON.stringify cannot write. */
  const sendText = (entry: Endpoint, lease: string, body: string) => {
    const headers = { 'content-type': 'application/json', ...wanda };
    const url = `${origin}${entry.path.replace('{lease}', lease)}`;
    const request = new Request(url, { method: entry.method, headers, body });
    return entry.handle(request, { lease });
  };

  it('a literal NaN is not JSON', async () => {
    const batch = await openBatch();
    const body = `{"id":"${newId()}","activeMs":1,"value":{"kind":"mask","shapes":[NaN]}}`;
    const reply = await sendText(submitAnswer, batch.items[0].leaseId, body);
    expect(reply.status).toBe(400);
    expect((await reply.json()).detail).toBe('The body is not valid JSON.');
  });

  it('a body of 10 MB is too large, for an answer and for a draft', async () => {
    const batch = await openBatch();
    const params = { lease: batch.items[0].leaseId };
    const body = { text: 'x'.repeat(10_000_000) };
    for (const entry of [submitAnswer, saveDraft]) {
      const reply = await call(entry, { params, headers: wanda, body });
      expect(reply.status).toBe(413);
      expect(reply.headers.get('content-type')).toBe('application/problem+json');
    }
  });

  it.each([
    ['nested without end', `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, /levels deep/],
    ['with half a character', '{"text":"\\ud800"}', /half of a character/],
    ['with half a character as a name', '{"\\udc00":1}', /half of a character/],
    ['that is a list', '[]', /document/],
    ['that is nothing', 'null', /document/],
  ])('a draft %s is refused', async (_, document, reason) => {
    const batch = await openBatch();
    const reply = await sendText(saveDraft, batch.items[0].leaseId, `{"revision":0,"document":${document}}`);
    expect(reply.status).toBe(400);
    expect((await reply.json()).detail).toMatch(reason);
  });

  it('an answer id that another item has is refused, the same id for the same item is the same answer', async () => {
    const batch = await openBatch();
    const [one, two] = batch.items.map((item: { leaseId: string }) => item.leaseId);
    const body = { id: newId(), value: square, activeMs: 5 };
    const first = await call(submitAnswer, { params: { lease: one }, headers: wanda, body });
    expect(first.status).toBe(200);
    const again = await call(submitAnswer, { params: { lease: one }, headers: wanda, body });
    expect(again.json).toEqual(first.json);
    expect((await call(submitAnswer, { params: { lease: two }, headers: wanda, body })).status).toBe(409);
    expect((await answerOf(one, square)).status).toBe(409);
  });
});

describe('exams, practice and appeals over HTTP', () => {
  it('lead from the list of work through practice and exam to a summary', async () => {
    const hall = await workshop(db(), { maskExam: { isRequired: true, masks: 2, practice: 1 } });
    await addGold(db(), hall, 'object-mask', 4, square, { pool: 'practice' });
    await addGold(db(), hall, 'object-mask', 4, square, { pool: 'exam' });
    await ask(db(), hall, 'object-mask', 2);
    const headers = withKey(await keyOf(db(), await worker(db(), hall), 'read', 'labels:write'));
    const params = { stage: hall.stages['object-mask'] };
    const offers = (await call(listWork, { headers })).json.stages;
    const offer = offers.find(({ stage }: { stage: { id: string } }) => stage.id === params.stage);
    expect(offer).toMatchObject({
      gate: { gate: 'exam' },
      exam: { attemptsLeft: 2, hasPractice: true },
      supply: 'few',
    });
    const refused = await call(takeBatch, { params, headers });
    expect(refused).toMatchObject({ status: 409, json: { more: { gate: 'exam' } } });
    for (const [entry, kind] of [
      [takePractice, 'practice'],
      [takeExam, 'exam'],
    ] as const) {
      const taken = (await call(entry, { params, headers })).json.batch;
      expect(taken.kind).toBe(kind);
      const batch = (await call(getBatch, { params: { batch: taken.id }, headers })).json;
      for (const { leaseId: lease } of batch.items) {
        await answerOf(lease, square, headers);
        const told = await call(getFeedback, { params: { lease }, headers });
        expect(told.status).toBe(kind === 'practice' ? 200 : 404);
      }
      await call(submitBatch, { params: { batch: taken.id }, headers });
      const summary = await call(getSummary, { params: { batch: taken.id }, headers });
      expect(summary.json).toMatchObject({ kind, exam: kind === 'exam' ? { passed: true } : null });
      expect((await call(getSummary, { params: { batch: taken.id }, headers: will })).status).toBe(404);
    }
    expect((await call(takeBatch, { params, headers })).json.batch.kind).toBe('work');
  });

  it('an appeal is known by its id, and the decision about another does not exist', async () => {
    const stageId = shop.stages['part-mask'];
    const pause = {
      workerId: actor.userId,
      stageId,
      verdict: 'pause' as const,
      reason: 'Wait.',
      askAgain: false,
    };
    const { decisionId: decision } = await decideByHand(db(), tests, pause);
    const body = { id: newId(), text: 'Why?' };
    const first = await call(appealDecision, { params: { decision }, headers: wanda, body });
    expect(first.status).toBe(200);
    expect((await call(appealDecision, { params: { decision }, headers: wanda, body })).json).toEqual(
      first.json,
    );
    expect((await call(appealDecision, { params: { decision }, headers: will, body })).status).toBe(404);
    const empty = { id: newId(), text: ' ' };
    expect((await call(appealDecision, { params: { decision }, headers: wanda, body: empty })).status).toBe(
      400,
    );
    expect((await call(appealDecision, { params: { decision }, headers: will, body: empty })).status).toBe(
      404,
    );
  });
});
