import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { tables } from '@/db';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { reviewReason } from '@/lib/core/quality/pay-review';
import { batchSummary } from '@/lib/services/crowd/batch-summary';
import { decidePayReview, listPayReviews, workerMoney } from '@/lib/services/crowd/pay';
import { submitBatch } from '@/lib/services/crowd/work';
import { checkRules } from '@/lib/services/invariants/check-rules';
import { useDatabase } from '../../support/database';
import { join, person, tests } from '../access/people';
import {
  addGold,
  answer,
  ask,
  doBatch,
  elsewhere,
  marked,
  paidTo,
  settleLate,
  square,
  take,
  worker,
  workshop,
} from './workshop';

const db = useDatabase();
const instant = { payReview: { minFormSeconds: 60, minMaskSeconds: 60, constantAnswers: null } };
const constant = { payReview: { minFormSeconds: 0, minMaskSeconds: 0, constantAnswers: 4 } };
const nothing = { kind: 'nothing' } as const;

describe('what is reviewed before it is paid', () => {
  const policy = { payReview: { minFormSeconds: 1.5, minMaskSeconds: 2, constantAnswers: 5 } };
  const work = { stageKind: 'attributes' as const, answered: 5, mostCommon: 3, seconds: 60 };

  it.each([
    ['ordinary work', work, null],
    ['an instant batch of forms', { ...work, seconds: 7 }, 'instant'],
    ['forms at the limit', { ...work, seconds: 7.5 }, null],
    ['instant masks', { ...work, stageKind: 'part-mask' as const, seconds: 9 }, 'instant'],
    ['the same form five times', { ...work, mostCommon: 5 }, 'constant'],
    ['the same form nine times of ten', { ...work, answered: 10, mostCommon: 9 }, 'constant'],
    ['the same form eight times of ten', { ...work, answered: 10, mostCommon: 8 }, null],
    ['the same form four times', { ...work, answered: 4, mostCommon: 4 }, null],
    ['one class throughout an oracle batch', { ...work, stageKind: 'oracle' as const, mostCommon: 5 }, null],
    ['a failed exam, three of five alike', { ...work, isFailedExam: true }, 'constant'],
    [
      'a failed exam of two equal answers',
      { ...work, answered: 2, mostCommon: 2, isFailedExam: true },
      'constant',
    ],
    ['a failed exam, two of five alike', { ...work, mostCommon: 2, isFailedExam: true }, null],
    ['a failed exam of one answer', { ...work, answered: 1, mostCommon: 1, isFailedExam: true }, null],
    ['an empty batch', { ...work, answered: 0, mostCommon: 0, seconds: 0 }, null],
  ])('%s', (_, given, reason) => expect(reviewReason(given, policy)).toBe(reason));
});

describe('an exam answered with "nothing" five times in seconds', () => {
  it('is not paid before a curator has looked at it', async () => {
    const exam = { maskExam: { isRequired: true, masks: 5 } };
    const shop = await workshop(db(), { ...exam, ...constant });
    await addGold(db(), shop, 'object-mask', 5, square, { pool: 'exam' });
    const wanda = await worker(db(), shop);
    const { id: batchId } = await doBatch(db(), wanda, shop.stages['object-mask'], () => nothing, 'exam');
    expect(await paidTo(db(), wanda)).toEqual([]);
    expect(await batchSummary(db(), wanda, { batchId })).toMatchObject({
      exam: { passed: false },
      pay: null,
      review: { reason: 'constant', state: 'open' },
    });
    expect(await workerMoney(db(), wanda.userId)).toMatchObject([{ earned: 0n, inReview: 500_000n }]);
    expect(await listPayReviews(db(), shop.projectId)).toMatchObject([
      { batchId, worker: 'Wanda', kind: 'exam', reason: 'constant', answered: 5 },
    ]);
  });

  it('was paid when one item was left open or answered differently: now it is reviewed too', async () => {
    const shop = await workshop(db(), { maskExam: { isRequired: true, masks: 5 }, ...constant });
    await addGold(db(), shop, 'object-mask', 10, square, { pool: 'exam' });
    const stageId = shop.stages['object-mask'];
    for (const last of [null, elsewhere]) {
      const actor = await worker(db(), shop, last ? 'Will' : 'Wen');
      const { id: batchId, items } = await take(db(), actor, stageId, 'exam');
      for (const { leaseId } of items.slice(0, 4)) await answer(db(), actor, leaseId, nothing);
      if (last) await answer(db(), actor, items[4]?.leaseId as string, last);
      expect(await submitBatch(db(), actor, { batchId })).toMatchObject({ pay: null, review: 'constant' });
    }
  });

  it('shows an undefined precision as such when every form says "none"', async () => {
    const exam = { attributeExam: { isRequired: true, images: 3 } };
    const shop = await workshop(db(), exam);
    await addGold(db(), shop, 'attributes', 3, marked(shop, 'tail'), { pool: 'exam' });
    const wanda = await worker(db(), shop);
    await doBatch(db(), wanda, shop.stages.attributes, () => marked(shop), 'exam');
    const [row] = await db().select().from(tables.exams).where(eq(tables.exams.workerId, wanda.userId));
    expect(row).toMatchObject({ precision: null, recall: 0, passed: false });
  });
});

describe('a batch in review', () => {
  async function inReview() {
    const shop = await workshop(db(), instant);
    await ask(db(), shop, 'object-mask', 4);
    const wanda = await worker(db(), shop);
    const { id: batchId } = await doBatch(db(), wanda, shop.stages['object-mask'], () => square);
    return { shop, wanda, batchId };
  }

  it('is paid once when it is approved, however often that is pressed', async () => {
    const { wanda, batchId } = await inReview();
    const approve = () => decidePayReview(db(), tests, { batchId, verdict: 'approved', note: '' });
    await Promise.all([approve(), approve()]);
    expect(await paidTo(db(), wanda)).toEqual([{ kind: 'batch', sourceId: batchId, amountMicro: 400_000n }]);
    expect((await batchSummary(db(), wanda, { batchId })).review?.state).toBe('approved');
    const broken = (await checkRules(db())).filter(
      ({ name, violations }) => name.includes('paid') && violations,
    );
    expect(broken).toEqual([]);
  });

  it('needs a reason to be refused, which the worker reads', async () => {
    const { wanda, batchId } = await inReview();
    const refuse = (note: string) => decidePayReview(db(), tests, { batchId, verdict: 'refused', note });
    await expect(refuse(' ')).rejects.toThrow(/Write a short reason/);
    await refuse('All outlines are the same box.');
    expect((await batchSummary(db(), wanda, { batchId })).review).toMatchObject({
      state: 'refused',
      note: 'All outlines are the same box.',
    });
    await expect(decidePayReview(db(), tests, { batchId, verdict: 'approved', note: '' })).rejects.toThrow();
    expect(await paidTo(db(), wanda)).toEqual([]);
  });

  it('does not exist for curators of other projects', async () => {
    const { batchId } = await inReview();
    const other = await workshop(db());
    const carla = await person(db(), 'Carla');
    await join(db(), carla, other.projectId, 'curator');
    await expect(decidePayReview(db(), carla, { batchId, verdict: 'approved', note: '' })).rejects.toThrow(
      /pay review/,
    );
  });

  it('is not made for different answers at a normal pace', async () => {
    const shop = await workshop(db(), constant);
    await ask(db(), shop, 'object-mask', 4);
    const wanda = await worker(db(), shop);
    let n = 0;
    await doBatch(db(), wanda, shop.stages['object-mask'], () => (n++ % 2 ? square : elsewhere));
    expect(await paidTo(db(), wanda)).toHaveLength(1);
  });
});

/** Other tests of this file leave gold without labels, so only the rules about pay are checked. */
const brokenPayRules = async () =>
  (await checkRules(db())).filter(({ name, violations }) => /paid|pay/.test(name) && violations > 0);

describe('late answers', () => {
  async function sentLate(late: () => AnswerValue) {
    const shop = await workshop(db(), { ...constant, checkRate: 0, batchSize: { attributes: 6, masks: 6 } });
    await ask(db(), shop, 'object-mask', 12);
    const wanda = await worker(db(), shop);
    const { id: batchId, items } = await take(db(), wanda, shop.stages['object-mask']);
    const [first, ...rest] = items.map(({ leaseId }) => leaseId);
    await answer(db(), wanda, first as string, square);
    await submitBatch(db(), wanda, { batchId });
    for (const leaseId of rest) await answer(db(), wanda, leaseId, late());
    await settleLate(db());
    return { shop, wanda, batchId };
  }

  it('that are all alike were paid without a review: now a curator looks at them first', async () => {
    const { shop, wanda, batchId } = await sentLate(() => square);
    expect(await paidTo(db(), wanda)).toEqual([{ kind: 'batch', sourceId: batchId, amountMicro: 100_000n }]);
    expect(await listPayReviews(db(), shop.projectId)).toMatchObject([
      { batchId, kind: 'item', reason: 'constant', amountMicro: 500_000n },
    ]);
    expect(await brokenPayRules()).toEqual([]);
    await decidePayReview(db(), tests, { batchId, verdict: 'approved', note: '' });
    expect(await workerMoney(db(), wanda.userId)).toMatchObject([{ earned: 600_000n, inReview: 0n }]);
    expect(await brokenPayRules()).toEqual([]);
  });

  it('that differ are paid as before', async () => {
    let n = 0;
    const { shop, wanda } = await sentLate(() => (n++ % 2 === 0 ? elsewhere : square));
    expect(await paidTo(db(), wanda)).toHaveLength(6);
    expect(await listPayReviews(db(), shop.projectId)).toEqual([]);
  });
});

describe('limits on earning', () => {
  it('stop at what one person, and one cohort, may earn', async () => {
    const { takeBatch } = await import('@/lib/services/crowd/work');
    const shop = await workshop(db(), { pay: { maxPerWorker: 400_000 } });
    await ask(db(), shop, 'object-mask', 20);
    const wanda = await worker(db(), shop);
    const stageId = shop.stages['object-mask'];
    await doBatch(db(), wanda, stageId, () => square);
    await expect(takeBatch(db(), wanda, { stageId })).rejects.toThrow(/earning limit for one person/);
    const will = await worker(db(), shop, 'Will');
    const batch = await takeBatch(db(), will, { stageId });
    await submitBatch(db(), will, { batchId: batch?.id as string });
    await db()
      .update(tables.projects)
      .set({ policy: { ...(await policyOf(shop.projectId)), pay: { maxPerCohort: 400_000 } } })
      .where(eq(tables.projects.id, shop.projectId));
    await expect(takeBatch(db(), will, { stageId })).rejects.toThrow(/budget for your group/);
  });
});

async function policyOf(projectId: string): Promise<Record<string, unknown>> {
  const [row] = await db().select().from(tables.projects).where(eq(tables.projects.id, projectId));
  return row?.policy ?? {};
}
