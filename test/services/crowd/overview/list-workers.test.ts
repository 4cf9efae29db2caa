import { and, desc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { tables } from '@/db';
import { estimatesOf, listWorkers } from '@/lib/services/crowd/overview/list-workers';
import { useDatabase } from '../../../support/database';
import { countStatements } from '../../access/statements';
import { worker, workshop } from '../workshop';
import { form, mask, past, pausedAndAppealing, sat } from './past';

const db = useDatabase();
const all = { limit: 100 };
const names = (found: { rows: { name: string }[] }) => found.rows.map((row) => row.name);

describe('the list of workers', () => {
  it('sums items, checks, hits, masks, time and pay of each worker', async () => {
    const shop = await workshop(db());
    const ann = await worker(db(), shop, 'Ann');
    await sat(db(), shop, ann, { precision: 0.9, recall: 0.8, passed: true, answers: [{ ms: 3000 }] });
    await past(db(), shop, ann, {
      paidMicro: 50_000n,
      answers: [
        { ms: 2000 },
        { ms: 4000, check: { passed: true, score: form(4, 1, 0) } },
        { ms: 1000, check: { passed: false, score: form(2, 1, 2) } },
      ],
    });
    await past(db(), shop, ann, {
      stage: 'part-mask',
      answers: [{ check: { passed: true, score: mask(0.8) } }, { check: { passed: true, score: mask(0.9) } }],
    });
    await past(db(), shop, ann, { kind: 'practice', answers: [{ ms: 9000 }] });
    const { rows, total } = await listWorkers(db(), shop.projectId, all);
    expect(total).toBe(1);
    const [row] = rows;
    // 2 + 4 + 1 s of forms, 2 × 1 s of masks, 3 s of the exam; practice is not paid and not counted.
    expect(row).toMatchObject({
      name: 'Ann',
      state: 'active',
      items: 5,
      checks: 4,
      passed: 3,
      activeMs: 12_000,
    });
    expect(row).toMatchObject({ truePositives: 6, falsePositives: 2, falseNegatives: 2, currency: 'USD' });
    expect(row?.maskScores.toSorted()).toEqual([0.8, 0.9]);
    expect(row?.meanIou).toBeCloseTo(0.85);
    const estimates = estimatesOf(row as NonNullable<typeof row>);
    expect(estimates.precision).toMatchObject({ value: 0.75, n: 8 });
    expect(estimates.recall).toMatchObject({ value: 0.75, n: 8 });
    expect(estimates.passed).toMatchObject({ value: 0.75, n: 4 });
    // 0.05 USD in 12 s are 15 USD in an hour.
    expect(estimates.hourlyMicro).toBe(15_000_000n);
  });

  it('counts only the work of the stage that is asked for', async () => {
    const shop = await workshop(db());
    const ann = await worker(db(), shop, 'Ann');
    await past(db(), shop, ann, { answers: [{}, {}, { check: { passed: true, score: form(1, 0, 0) } }] });
    await past(db(), shop, ann, {
      stage: 'part-mask',
      answers: [{ check: { passed: false, score: mask(0.2) } }],
    });
    const { rows } = await listWorkers(db(), shop.projectId, { ...all, stageId: shop.stages['part-mask'] });
    expect(rows[0]).toMatchObject({ items: 1, checks: 1, passed: 0, truePositives: 0, maskScores: [0.2] });
  });

  it('puts whoever waits for an answer to an appeal first, in every order', async () => {
    const shop = await workshop(db());
    const [ann, bo, cy] = [
      await worker(db(), shop, 'Ann'),
      await worker(db(), shop, 'Bo'),
      await worker(db(), shop, 'Cy'),
    ];
    await past(db(), shop, ann, { answers: [{}, {}] });
    await past(db(), shop, bo, { answers: [{}] });
    await pausedAndAppealing(db(), shop, cy);
    const sorted = (key: 'name' | 'items', descending: boolean) =>
      listWorkers(db(), shop.projectId, { ...all, sort: { key, descending } });
    expect(names(await sorted('name', false))).toEqual(['Cy', 'Ann', 'Bo']);
    expect(names(await sorted('name', true))).toEqual(['Cy', 'Bo', 'Ann']);
    expect(names(await sorted('items', true))).toEqual(['Cy', 'Ann', 'Bo']);
    const [first] = (await sorted('name', false)).rows;
    expect(first).toMatchObject({ state: 'paused', openAppeals: 1 });
    expect(first?.stages).toEqual([
      { stageId: shop.stages.attributes, standing: 'paused', attempts: 0, passed: false },
    ]);
  });

  it('tells new people, failed exams, those who withdrew and those who left apart', async () => {
    const shop = await workshop(db());
    await worker(db(), shop, 'Newcomer');
    const failed = await worker(db(), shop, 'Failed');
    await sat(db(), shop, failed, { precision: 0.2, recall: 0.9, passed: false });
    const gone = await worker(db(), shop, 'Gone');
    await past(db(), shop, gone, { answers: [{}] });
    await db().delete(tables.memberships).where(eq(tables.memberships.userId, gone.userId));
    const quits = await worker(db(), shop, 'Quits');
    const [text] = await db()
      .select()
      .from(tables.consentTexts)
      .where(eq(tables.consentTexts.projectId, shop.projectId))
      .orderBy(desc(tables.consentTexts.number));
    await db()
      .insert(tables.consents)
      .values({
        projectId: shop.projectId,
        workerId: quits.userId,
        consentTextId: text?.id as string,
        kind: 'withdrawn',
      });
    const { rows } = await listWorkers(db(), shop.projectId, {
      ...all,
      sort: { key: 'name', descending: false },
    });
    expect(rows.map(({ name, state, isMember }) => [name, state, isMember])).toEqual([
      ['Failed', 'exam failed', true],
      ['Gone', 'active', false],
      ['Newcomer', 'new', true],
      ['Quits', 'withdrawn', true],
    ]);
    expect(names(await listWorkers(db(), shop.projectId, { ...all, state: 'new' }))).toEqual(['Newcomer']);
    expect(names(await listWorkers(db(), shop.projectId, { ...all, search: 'QUIT' }))).toEqual(['Quits']);
    expect(names(await listWorkers(db(), shop.projectId, { ...all, search: '%' }))).toEqual([]);
  });

  it('finds people by their cohort', async () => {
    const shop = await workshop(db());
    const ann = await worker(db(), shop, 'Ann');
    await worker(db(), shop, 'Bo');
    const { memberships } = tables;
    await db()
      .update(memberships)
      .set({ cohort: 'Spring students' })
      .where(and(eq(memberships.userId, ann.userId), eq(memberships.projectId, shop.projectId)));
    expect(names(await listWorkers(db(), shop.projectId, { ...all, search: 'spring' }))).toEqual(['Ann']);
  });

  it('pages through many people without a gap, in one statement a page', async () => {
    const shop = await workshop(db());
    for (let n = 0; n < 23; n++) await worker(db(), shop, `Person ${String(n).padStart(2, '0')}`);
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await listWorkers(db(), shop.projectId, { limit: 10, after });
      expect(page.total).toBe(23);
      seen.push(...names(page));
      after = page.rows.length === 10 ? page.rows.at(-1)?.id : undefined;
    } while (after);
    expect(seen).toEqual(seen.toSorted());
    expect(new Set(seen).size).toBe(23);
    expect(await countStatements(db(), () => listWorkers(db(), shop.projectId, { limit: 10 }))).toBe(1);
  });

  it('knows nobody in an empty project, and nobody of another one', async () => {
    const shop = await workshop(db());
    const other = await workshop(db());
    await worker(db(), other, 'Elsewhere');
    expect(await listWorkers(db(), shop.projectId, all)).toEqual({ rows: [], total: 0 });
  });
});
