import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { tables } from '@/db';
import { getFeedback } from '@/lib/services/crowd/exams';
import { submitBatch, takeBatch } from '@/lib/services/crowd/work';
import { useDatabase } from '../../support/database';
import {
  addGold,
  answer,
  ask,
  checkLeases,
  doBatch,
  elsewhere,
  itemsOf,
  marked,
  paidTo,
  runOut,
  square,
  take,
  worker,
  workshop,
} from './workshop';

const db = useDatabase();

const maskExam = { isRequired: true, masks: 3, attempts: 2, waitHours: 24, practice: 2 };

async function examHall(policy: Record<string, unknown> = {}, gold = 12) {
  const shop = await workshop(db(), { maskExam: { ...maskExam, ...policy } });
  await addGold(db(), shop, 'object-mask', gold, square, { pool: 'exam' });
  await ask(db(), shop, 'object-mask', 8);
  return { shop, wanda: await worker(db(), shop), stageId: shop.stages['object-mask'] };
}

const examsOf = (workerId: string) =>
  db().select().from(tables.exams).where(eq(tables.exams.workerId, workerId)).orderBy(tables.exams.attempt);

describe('an exam', () => {
  it('opens the stage to whoever passes it, and is paid', async () => {
    const { shop, wanda, stageId } = await examHall();
    await expect(takeBatch(db(), wanda, { stageId })).rejects.toThrow('Take the exam');
    const exam = await doBatch(db(), wanda, stageId, () => square, 'exam');
    expect(exam).toMatchObject({ kind: 'exam' });
    expect(exam.items).toHaveLength(3);
    expect(await checkLeases(db(), exam.id)).toEqual(new Set(exam.items.map((item) => item.leaseId)));
    expect(await examsOf(wanda.userId)).toMatchObject([
      { attempt: 1, passed: true, meanIou: 1, precision: null },
    ]);
    expect(await paidTo(db(), wanda)).toEqual([{ kind: 'exam', sourceId: exam.id, amountMicro: 500_000n }]);
    expect((await take(db(), wanda, stageId)).items).toHaveLength(4);
    await expect(takeBatch(db(), wanda, { stageId, kind: 'exam' })).resolves.toMatchObject({ kind: 'work' });
    const items = await itemsOf(db(), shop.stages['object-mask']);
    expect(items.filter((item) => item.state === 'settled' && item.leased > 0)).toEqual([]);
  });

  it('that is failed is paid as well, waits, and is then made of other gold, until no attempt is left', async () => {
    const { wanda, stageId } = await examHall();
    const first = await doBatch(db(), wanda, stageId, () => elsewhere, 'exam');
    const again = () => takeBatch(db(), wanda, { stageId, kind: 'exam' });
    await expect(again()).rejects.toMatchObject({ detail: { gate: 'exam-wait', until: expect.any(Date) } });
    await expect(takeBatch(db(), wanda, { stageId })).rejects.toMatchObject({
      detail: { gate: 'exam-wait' },
    });
    await db()
      .update(tables.exams)
      .set({ finishedAt: sql`now() - interval '25 hours'` })
      .where(eq(tables.exams.workerId, wanda.userId));
    const second = await doBatch(db(), wanda, stageId, () => elsewhere, 'exam');
    await expect(again()).rejects.toMatchObject({ detail: { gate: 'exam-failed' } });
    expect(await examsOf(wanda.userId)).toMatchObject([
      { passed: false },
      { attempt: 2, passed: false, meanIou: 0 },
    ]);
    expect((await paidTo(db(), wanda)).map((row) => row.amountMicro)).toEqual([500_000n, 500_000n]);
    const leases = [...first.items, ...second.items].map((item) => item.leaseId);
    expect(new Set(leases).size).toBe(6);
  });

  it('of attributes wants precision and recall together', async () => {
    const shop = await workshop(db(), {
      attributeExam: { isRequired: true, images: 4, attempts: 3, waitHours: 0 },
    });
    await addGold(db(), shop, 'attributes', 12, marked(shop, 'tail', 'ears', 'hairy', 'brown'), {
      pool: 'exam',
    });
    const wanda = await worker(db(), shop);
    const stageId = shop.stages.attributes;
    // Half of what is there, all of it right.
    await doBatch(db(), wanda, stageId, () => marked(shop, 'tail', 'brown'), 'exam');
    // All of what is there, and as much that is not.
    await doBatch(
      db(),
      wanda,
      stageId,
      () => marked(shop, 'tail', 'ears', 'hairy', 'brown', 'mane', 'horns', 'wet'),
      'exam',
    );
    await doBatch(db(), wanda, stageId, () => marked(shop, 'tail', 'ears', 'hairy', 'brown'), 'exam');
    expect(await examsOf(wanda.userId)).toMatchObject([
      { precision: 1, recall: 0.5, passed: false },
      { recall: 1, passed: false },
      { precision: 1, recall: 1, passed: true },
    ]);
  });

  it('handed in half done counts what is missing as missed, and pays the half', async () => {
    const { wanda, stageId } = await examHall();
    const exam = await take(db(), wanda, stageId, 'exam');
    await answer(db(), wanda, exam.items[0]?.leaseId as string);
    await submitBatch(db(), wanda, { batchId: exam.id });
    const [row] = await examsOf(wanda.userId);
    expect(row).toMatchObject({ passed: false });
    expect(row?.meanIou).toBeCloseTo(1 / 3);
    expect((await paidTo(db(), wanda)).map((entry) => entry.amountMicro)).toEqual([166_667n]);
  });

  it('whose time ran out waits another day for the worker', async () => {
    const { shop, wanda, stageId } = await examHall();
    const exam = await take(db(), wanda, stageId, 'exam');
    await runOut(db(), exam.id);
    const will = await worker(db(), shop, 'Will');
    await takeBatch(db(), will, { stageId, kind: 'exam' });
    expect((await take(db(), wanda, stageId, 'exam')).id).toBe(exam.id);
    await db()
      .update(tables.batches)
      .set({ leasedUntil: sql`now() - interval '25 hours'` })
      .where(eq(tables.batches.id, exam.id));
    await takeBatch(db(), await worker(db(), shop, 'Wes'), { stageId, kind: 'exam' });
    expect(await examsOf(wanda.userId)).toMatchObject([{ passed: false }]);
  });

  it('that is adaptive ends once it is clear, and pays in full', async () => {
    const { wanda, stageId } = await examHall({ masks: 10, isAdaptive: true });
    const exam = await take(db(), wanda, stageId, 'exam');
    let answered = 0;
    for (const { leaseId } of exam.items) {
      const stored = await answer(db(), wanda, leaseId);
      answered++;
      if (stored.isOver) break;
    }
    expect(answered).toBeLessThan(10);
    expect(await examsOf(wanda.userId)).toMatchObject([{ passed: true }]);
    expect((await paidTo(db(), wanda)).map((entry) => entry.amountMicro)).toEqual([500_000n]);
    const left = exam.items[answered]?.leaseId as string;
    await expect(answer(db(), wanda, left)).rejects.toThrow('This batch is submitted');
    expect(await takeBatch(db(), wanda, { stageId })).toMatchObject({ kind: 'work' });
  });

  it('needs gold enough, and says so', async () => {
    const { shop, wanda, stageId } = await examHall({}, 2);
    // Gold of the other pools does not help: an exam must not show what checks and practice show.
    await addGold(db(), shop, 'object-mask', 5, square);
    await addGold(db(), shop, 'object-mask', 5, square, { pool: 'practice' });
    await expect(takeBatch(db(), wanda, { stageId, kind: 'exam' })).rejects.toThrow('not enough gold');
    expect(await examsOf(wanda.userId)).toEqual([]);
  });

  it('asked for in many tabs at once is one attempt', async () => {
    const { wanda, stageId } = await examHall();
    const got = await Promise.all(
      Array.from({ length: 5 }, () => takeBatch(db(), wanda, { stageId, kind: 'exam' })),
    );
    expect(new Set(got.map((batch) => batch?.id)).size).toBe(1);
    expect(await examsOf(wanda.userId)).toHaveLength(1);
  });
});

describe('practice', () => {
  it('tells after each answer what was right, costs no attempt, and is done once', async () => {
    const { shop, wanda, stageId } = await examHall();
    await addGold(db(), shop, 'object-mask', 4, square, { pool: 'practice' });
    const batch = await take(db(), wanda, stageId, 'practice');
    expect(batch).toMatchObject({ kind: 'practice', items: [{}, {}] });
    const [one, two] = batch.items.map((item) => item.leaseId) as [string, string];
    await expect(getFeedback(db(), wanda, { leaseId: one })).rejects.toThrow('Answer the item first');
    await answer(db(), wanda, one, elsewhere);
    await answer(db(), wanda, two, square);
    expect(await getFeedback(db(), wanda, { leaseId: one })).toMatchObject({
      passed: false,
      score: { iou: 0 },
      truth: { value: square },
    });
    expect(await getFeedback(db(), wanda, { leaseId: two })).toMatchObject({
      passed: true,
      score: { iou: 1 },
    });
    await submitBatch(db(), wanda, { batchId: batch.id });
    expect(await paidTo(db(), wanda)).toEqual([]);
    await expect(takeBatch(db(), wanda, { stageId, kind: 'practice' })).rejects.toThrow('take the exam');
    const exam = await take(db(), wanda, stageId, 'exam');
    await expect(getFeedback(db(), wanda, { leaseId: exam.items[0]?.leaseId as string })).rejects.toThrow(
      'no such lease',
    );
    expect(await examsOf(wanda.userId)).toHaveLength(1);
  });

  it('takes gold that is retired, and none of the exam or of the checks', async () => {
    const { shop, wanda, stageId } = await examHall({}, 12);
    await addGold(db(), shop, 'object-mask', 4, square);
    expect(await takeBatch(db(), wanda, { stageId, kind: 'practice' })).toBeNull();
    const old = await addGold(db(), shop, 'object-mask', 2, square, { state: 'retired', exposures: 200 });
    const batch = await take(db(), wanda, stageId, 'practice');
    const used = await db()
      .select({ goldId: tables.checks.goldId })
      .from(tables.checks)
      .where(sql`lease_id in (select id from leases where batch_id = ${batch.id})`);
    expect(used.map((row) => row.goldId).sort()).toEqual(old.sort());
  });
});
