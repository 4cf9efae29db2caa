import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { tables } from '@/db';
import { keepGuideRead, keepOwnLanguage, ownLanguage, readGuides } from '@/lib/services/accounts';
import { batchSummary } from '@/lib/services/crowd/batch-summary';
import { getFeedback } from '@/lib/services/crowd/exams';
import { payTermsOf } from '@/lib/services/crowd/pay';
import { listWork, returnBatch, takeBatch } from '@/lib/services/crowd/work';
import { examOffer, listBatches } from '@/lib/services/crowd/worker';
import { useDatabase } from '../../support/database';
import { addGold, answer, ask, doBatch, elsewhere, runOut, square, take, worker, workshop } from './workshop';

const db = useDatabase();

const offerFor = async (actor: Awaited<ReturnType<typeof worker>>, stageId: string) =>
  (await listWork(db(), actor)).find(({ stage }) => stage.id === stageId);

describe('what a worker reads before they start', () => {
  it('is a planned time at first, then that of others, then their own', async () => {
    const shop = await workshop(db());
    const stageId = shop.stages['object-mask'];
    await ask(db(), shop, 'object-mask', 30);
    const [wanda, will] = [await worker(db(), shop), await worker(db(), shop, 'Will')];
    // Four masks at 0.10, at the promised 9.00 an hour.
    const before = { items: 4, payMicro: 400_000n, currency: 'USD' };
    expect((await offerFor(wanda, stageId))?.terms?.work).toEqual({
      ...before,
      durationMs: 160_000,
      source: 'plan',
      hourlyMicro: 9_000_000n,
    });
    for (let n = 0; n < 2; n++) await doBatch(db(), will, stageId, () => square);
    // Will's answers took 1.5 s each.
    const measured = { ...before, durationMs: 6000, hourlyMicro: 240_000_000n };
    expect((await offerFor(wanda, stageId))?.terms?.work).toEqual({ ...measured, source: 'others' });
    expect((await offerFor(will, stageId))?.terms?.work).toEqual({ ...measured, source: 'own' });
  });

  it('was the price of a whole batch beside the refresher, which has three items', async () => {
    const shop = await workshop(db());
    const wanda = await worker(db(), shop);
    const price = { items: 3, currency: 'USD', source: 'plan', hourlyMicro: 9_000_000n };
    expect((await offerFor(wanda, shop.stages['object-mask']))?.terms?.refresher).toEqual({
      ...price,
      payMicro: 300_000n,
      durationMs: 120_000,
    });
    // Three of the four images that 1.50 is for.
    expect((await offerFor(wanda, shop.stages.attributes))?.terms?.refresher).toEqual({
      ...price,
      payMicro: 1_125_000n,
      durationMs: 450_000,
    });
  });

  it('names who pays, and what the curator wrote about it', async () => {
    const shop = await workshop(db(), { pay: { terms: 'Every Monday.' } });
    const wanda = await worker(db(), shop);
    expect(await payTermsOf(db(), wanda.userId)).toEqual([
      {
        project: { id: shop.projectId, name: 'Birds', slug: shop.slug },
        recruiter: 'pool',
        terms: 'Every Monday.',
      },
    ]);
  });
});

describe('the history of batches', () => {
  it('has expired and returned batches too, also while nobody has reclaimed them', async () => {
    const shop = await workshop(db());
    await ask(db(), shop, 'object-mask', 30);
    await ask(db(), shop, 'attributes', 30);
    const wanda = await worker(db(), shop);
    const masks = shop.stages['object-mask'];
    const submitted = await doBatch(db(), wanda, masks, () => square);
    const returned = await take(db(), wanda, masks);
    await returnBatch(db(), wanda, { batchId: returned.id });
    const expired = await take(db(), wanda, masks);
    await answer(db(), wanda, expired.items[0]?.leaseId as string);
    await runOut(db(), expired.id);
    const open = await take(db(), wanda, shop.stages.attributes);
    const list = await listBatches(db(), wanda.userId, { limit: 10 });
    expect(list.map(({ id, state, answered, size }) => ({ id, state, answered, size }))).toEqual([
      { id: open.id, state: 'leased', answered: 0, size: 4 },
      { id: expired.id, state: 'expired', answered: 1, size: 4 },
      { id: returned.id, state: 'returned', answered: 0, size: 4 },
      { id: submitted.id, state: 'submitted', answered: 4, size: 4 },
    ]);
    expect(list.map(({ earned }) => earned?.amountMicro ?? null)).toEqual([null, null, null, 400_000n]);
    const after = await listBatches(db(), wanda.userId, { limit: 10, before: returned.id });
    expect(after.map(({ id }) => id)).toEqual([submitted.id]);
  });
});

describe('after an exam that was not passed', () => {
  it('a worker reads the kinds of mistakes and when the next attempt is, and no answer', async () => {
    const shop = await workshop(db(), {
      maskExam: { isRequired: true, masks: 3, attempts: 2, waitHours: 24, practice: 2 },
    });
    const stageId = shop.stages['object-mask'];
    await addGold(db(), shop, 'object-mask', 12, square, { pool: 'exam' });
    const wanda = await worker(db(), shop);
    const exam = await doBatch(db(), wanda, stageId, () => elsewhere, 'exam');
    const summary = await batchSummary(db(), wanda, { batchId: exam.id });
    expect(summary.exam).toMatchObject({ passed: false, mistakes: ['wrongPlace'] });
    expect(summary.gate).toMatchObject({ code: 'examWait', until: expect.any(Date) });
    const offer = await examOffer(db(), wanda, { projectId: shop.projectId, stageId });
    expect(offer.mistakes).toEqual(['wrongPlace']);
  });
});

describe('after a hint', () => {
  it('a worker practises what the hint is about, once', async () => {
    const shop = await workshop(db(), {
      maskExam: { isRequired: true, masks: 1, attempts: 2, waitHours: 0, practice: 1 },
    });
    const stageId = shop.stages['object-mask'];
    await addGold(db(), shop, 'object-mask', 3, square, { pool: 'exam' });
    await addGold(db(), shop, 'object-mask', 4, square, { pool: 'practice' });
    await ask(db(), shop, 'object-mask', 8);
    const wanda = await worker(db(), shop);
    await doBatch(db(), wanda, stageId, () => square, 'exam');
    const practise = () => takeBatch(db(), wanda, { stageId, kind: 'practice' });
    await expect(practise()).rejects.toMatchObject({ detail: { gate: 'not-needed', code: 'examPassed' } });
    await db().insert(tables.decisions).values({
      projectId: shop.projectId,
      subject: 'worker',
      subjectId: wanda.userId,
      stageId,
      verdict: 'hint',
      reason: 'Please draw closer.',
    });
    expect(await offerFor(wanda, stageId)).toMatchObject({ canPractiseHint: true, gate: null });
    const practice = await take(db(), wanda, stageId, 'practice');
    expect(practice.kind).toBe('practice');
    const leaseId = practice.items[0]?.leaseId as string;
    await answer(db(), wanda, leaseId);
    expect((await getFeedback(db(), wanda, { leaseId })).guide).toEqual({
      definition: expect.stringContaining('Draw along the edge'),
      notes: [],
    });
    await db()
      .update(tables.batches)
      .set({ state: 'submitted', submittedAt: new Date() })
      .where(eq(tables.batches.id, practice.id));
    expect(await offerFor(wanda, stageId)).toMatchObject({ canPractiseHint: false, gate: null });
    await expect(practise()).rejects.toMatchObject({ detail: { gate: 'not-needed' } });
  });
});

describe('what an account keeps', () => {
  it('is the language, and which guides were read', async () => {
    const shop = await workshop(db());
    const wanda = await worker(db(), shop);
    expect(await ownLanguage(db(), wanda.userId)).toBeNull();
    await keepOwnLanguage(db(), wanda.userId, 'vi');
    await keepGuideRead(db(), wanda.userId, shop.projectId);
    await keepGuideRead(db(), wanda.userId, shop.projectId);
    expect(await ownLanguage(db(), wanda.userId)).toBe('vi');
    expect([...(await readGuides(db(), wanda.userId))]).toEqual([shop.projectId]);
  });
});
