import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import type { UserActor } from '@/lib/services/access';
import { appeal, decideByHand } from '@/lib/services/crowd/trust';
import { decisionsAbout, examOffer, myData, stageScores, statement } from '@/lib/services/crowd/worker';
import { join, person } from '../services/access/people';
import { addGold, ask, doBatch, marked, type Workshop, worker, workshop } from '../services/crowd/workshop';
import { useDatabase } from '../support/database';

const db = useDatabase();
let shop: Workshop;
let wanda: UserActor;
let curator: UserActor;

beforeAll(async () => {
  shop = await workshop(db(), {
    batchSize: { attributes: 2, masks: 2 },
    attributeExam: { isRequired: true, images: 2, practice: 2, attempts: 2, waitHours: 24 },
  });
  wanda = await worker(db(), shop);
  curator = await person(db(), 'Cora');
  await join(db(), curator, shop.projectId, 'curator');
  await addGold(db(), shop, 'attributes', 10, marked(shop, 'tail'), { pool: 'exam' });
  await ask(db(), shop, 'attributes', 4);
});

const offer = (actor = wanda) =>
  examOffer(db(), actor, { projectId: shop.projectId, stageId: shop.stages.attributes });

describe('the exam page', () => {
  it('says what the exam is before it is taken, and that practice is open', async () => {
    expect(await offer()).toMatchObject({
      items: 2,
      bars: [
        { name: 'precision', bar: 0.75 },
        { name: 'recall', bar: 0.75 },
      ],
      attempts: 2,
      attemptsLeft: 2,
      gate: null,
      practice: { items: 2, isOpen: true },
      hasPassed: false,
      results: [],
    });
  });

  it('tells how an attempt went, and from when the next is possible', async () => {
    const stan = await worker(db(), shop, 'Stan');
    await doBatch(db(), stan, shop.stages.attributes, () => marked(shop, 'wings'), 'exam');
    const after = await offer(stan);
    expect(after.results).toMatchObject([
      { attempt: 1, passed: false, measures: [{ value: 0 }, { value: 0 }] },
    ]);
    expect(after.gate).toMatchObject({ gate: 'exam-wait', until: expect.any(Date) });
    expect(after.attemptsLeft).toBe(1);
  });

  it('does not exist for a stage without an exam, of another project, or for who is not of it', async () => {
    const kindOf = (promise: Promise<unknown>) => promise.catch((error) => error.kind);
    const other = await workshop(db());
    const stranger = await person(db(), 'Eve');
    const which = { projectId: shop.projectId, stageId: shop.stages.attributes };
    expect(await kindOf(examOffer(db(), wanda, { ...which, stageId: shop.stages['object-mask'] }))).toBe(
      'not-found',
    );
    expect(await kindOf(examOffer(db(), wanda, { ...which, projectId: other.projectId }))).toBe('not-found');
    expect(await kindOf(examOffer(db(), stranger, which))).toBe('not-found');
  });
});

describe('what a worker learns about themselves', () => {
  it('is the decision and its reason, their appeal and its answer, and never the evidence', async () => {
    const zoe = await worker(db(), shop, 'Zoe');
    await decideByHand(db(), curator, {
      stageId: shop.stages.attributes,
      workerId: zoe.userId,
      verdict: 'pause',
      reason: 'Please look at the guide again.',
      askAgain: false,
    });
    const [decision] = await decisionsAbout(db(), zoe.userId);
    expect(decision).toMatchObject({
      verdict: 'pause',
      reason: 'Please look at the guide again.',
      stage: 'Attributes',
      isByRule: false,
      appeal: null,
    });
    expect(Object.keys(decision ?? {})).not.toContain('evidence');
    const text = 'I did look.';
    await appeal(db(), zoe, { decisionId: decision?.id as string, appealId: newId(), text });
    expect((await decisionsAbout(db(), zoe.userId))[0]?.appeal).toMatchObject({ text, outcome: null });
    expect(await decisionsAbout(db(), wanda.userId)).toEqual([]);
  });

  it('is all that is stored about them, and nothing that tells checks from other items', async () => {
    await doBatch(db(), wanda, shop.stages.attributes, () => marked(shop, 'tail'), 'exam');
    await doBatch(db(), wanda, shop.stages.attributes, () => marked(shop, 'tail'));
    const data = await myData(db(), wanda);
    expect(data.profile?.name).toBe('Wanda');
    expect(data.consents).toMatchObject([{ kind: 'agreed', number: 1 }]);
    expect(data.batches.map(({ kind }) => kind)).toEqual(['exam', 'work']);
    expect(data.answers).toHaveLength(4);
    expect(data.earnings.map(({ kind }) => kind).sort()).toEqual(['batch', 'exam']);
    const golds = await db().select({ id: tables.gold.id, itemId: tables.gold.itemId }).from(tables.gold);
    const told = JSON.stringify(data);
    for (const { id, itemId } of golds) {
      expect(told).not.toContain(id);
      expect(told).not.toContain(itemId);
    }
    const lines = await statement(db(), wanda.userId, { limit: 10 });
    expect(lines).toHaveLength(2);
    expect(await statement(db(), wanda.userId, { limit: 10, before: lines[0]?.id })).toEqual(lines.slice(1));
  });

  it('is no score while there are few checks', async () => {
    expect((await stageScores(db(), wanda.userId, Object.values(shop.stages))).size).toBe(0);
    expect(await db().$count(tables.checks, eq(tables.checks.workerId, wanda.userId))).toBeGreaterThan(0);
  });
});
