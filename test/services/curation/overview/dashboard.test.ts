import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { busiestWorkers } from '@/lib/services/curation/overview/busiest-workers';
import { compareWorkers } from '@/lib/services/curation/overview/compare-workers';
import { readDashboard } from '@/lib/services/curation/overview/read-dashboard';
import { useDatabase } from '../../../support/database';
import { countStatements } from '../../access/statements';
import { form, past, pausedAndAppealing } from '../../crowd/overview/past';
import { ask, marked, take, type Workshop, worker, workshop } from '../../crowd/workshop';
import { several } from '../consensus/several';

const db = useDatabase();

async function projectOf(shop: Workshop) {
  const [project] = await db().select().from(tables.projects).where(eq(tables.projects.id, shop.projectId));
  return project as NonNullable<typeof project>;
}

const read = async (shop: Workshop, seesCrowd = true) =>
  readDashboard(db(), await projectOf(shop), { seesCrowd });

describe('the overview of a project', () => {
  it('says first what waits for a person, the most pressing first', async () => {
    const shop = await workshop(db(), { checkRate: 0.05 });
    const cy = await worker(db(), shop, 'Cy');
    await pausedAndAppealing(db(), shop, cy);
    await db().insert(tables.jobs).values({
      kind: 'ingest',
      title: 'Add files',
      projectId: shop.projectId,
      state: 'failed',
      error: 'The disk is full.',
      finishedAt: new Date(),
    });
    await ask(db(), shop, 'attributes', 2);
    const { needs } = await read(shop);
    expect(needs.map(({ kind, count }) => [kind, count])).toEqual([
      ['appeals', 1],
      ['failed-jobs', 1],
      ['stages-without-gold', 3],
      ['workers-paused', 1],
      ['stages-still', 1],
    ]);
    expect(needs.at(-1)?.stages).toEqual(['Attributes']);
  });

  it('is silent where nothing is to be done', async () => {
    const shop = await workshop(db());
    expect((await read(shop)).needs).toEqual([]);
  });

  it('forecasts each stage from the answers of the last week, and what it will have cost', async () => {
    const shop = await workshop(db());
    const ann = await worker(db(), shop, 'Ann');
    await past(db(), shop, ann, { ago: 30, paidMicro: 2_000_000n, answers: [{}, {}, {}] });
    await past(db(), shop, ann, { ago: 24 * 9, answers: [{}] });
    await ask(db(), shop, 'attributes', 6, { overlap: 2 });
    const { stages, money, all } = await read(shop);
    const first = stages.find(({ id }) => id === shop.stages.attributes);
    expect(first).toMatchObject({ left: 12, forecast: { kind: 'moving', perDay: expect.closeTo(3 / 7) } });
    expect(all).toMatchObject({ kind: 'moving' });
    const [sum] = money;
    expect(sum).toMatchObject({
      currency: 'USD',
      earnedMicro: 2_000_000n,
      paidMicro: 0n,
      committedMicro: 0n,
    });
    expect(sum?.projectedMicro).toBeGreaterThan(2_000_000n);
  });

  it('gives the share of checks passed with its interval, now and day by day', async () => {
    const shop = await workshop(db());
    const ann = await worker(db(), shop, 'Ann');
    const check = (passed: boolean) => ({ check: { passed, score: form(1, 0, 0) } });
    await past(db(), shop, ann, { ago: 50, answers: [check(true), check(false)] });
    await past(db(), shop, ann, { ago: 2, answers: [check(true), check(true)] });
    const { quality } = await read(shop);
    expect(quality.now).toMatchObject({ value: 0.75, n: 4 });
    expect(quality.days.reduce((sum, { passed }) => sum + passed.n, 0)).toBe(4);
    expect(quality.before).toBeNull();
  });

  it('needs as many statements for a busy project as for an empty one', async () => {
    const [empty, busy] = [await workshop(db()), await workshop(db())];
    const ann = await worker(db(), busy, 'Ann');
    for (let n = 0; n < 5; n++) {
      await past(db(), busy, ann, {
        ago: n,
        stage: n % 2 ? 'attributes' : 'part-mask',
        answers: [{}, { check: { passed: true, score: form(1, 0, 0) } }],
      });
    }
    await ask(db(), busy, 'object-mask', 5);
    const projects = [await projectOf(empty), await projectOf(busy)];
    const counts = [];
    for (const project of projects) {
      counts.push(
        await countStatements(db(), async () => {
          await readDashboard(db(), project, { seesCrowd: true });
          await busiestWorkers(db(), project.id, 10);
        }),
      );
    }
    expect(counts[0]).toBe(counts[1]);
    expect(counts[0]).toBeLessThanOrEqual(10);
  });

  it('reads neither money nor what waits for a curator for a researcher, who is told of failed jobs', async () => {
    const shop = await workshop(db(), { checkRate: 0.05 });
    const project = await projectOf(shop);
    await db().insert(tables.jobs).values({
      kind: 'ingest',
      title: 'Add files',
      projectId: shop.projectId,
      state: 'failed',
      error: 'The disk is full.',
      finishedAt: new Date(),
    });
    const { needs, money } = await read(shop, false);
    expect({ needs, money }).toEqual({ needs: [{ kind: 'failed-jobs', count: 1, stages: [] }], money: [] });
    const statements = (seesCrowd: boolean) =>
      countStatements(db(), () => readDashboard(db(), project, { seesCrowd }));
    expect(await statements(false)).toBe(4);
    expect(await statements(true)).toBeGreaterThan(7);
  });

  it('commits what batches were taken at, not the prices of today, each in its own currency', async () => {
    const shop = await workshop(db(), { batchSize: { attributes: 4, masks: 3 } });
    const ann = await worker(db(), shop, 'Ann');
    await ask(db(), shop, 'object-mask', 3);
    await take(db(), ann, shop.stages['object-mask']);
    const dearer = { batchSize: { attributes: 4, masks: 3 }, pay: { mask: 900_000, currency: 'EUR' } };
    await db().update(tables.projects).set({ policy: dearer }).where(eq(tables.projects.id, shop.projectId));
    const { money } = await read(shop);
    const committed = Object.fromEntries(money.map((each) => [each.currency, each.committedMicro]));
    // Three masks at 0.1 when they were taken.
    expect(committed).toEqual({ EUR: 0n, USD: 300_000n });
  });

  it('leaves the years before out of the pace, however much was answered then', async () => {
    const shop = await workshop(db());
    const ann = await worker(db(), shop, 'Ann');
    await past(db(), shop, ann, { ago: 24 * 40, answers: [{ ms: 90_000 }] });
    await past(db(), shop, ann, { ago: 5, answers: [{ ms: 2000 }, { ms: 4000 }] });
    const { stages, days } = await read(shop);
    const forms = stages.find(({ id }) => id === shop.stages.attributes);
    expect(forms).toMatchObject({ settled: 3, total: 3, medianSeconds: 3 });
    expect(days.reduce((sum, { answers }) => sum + answers, 0)).toBe(2);
  });
});

describe('the busiest workers', () => {
  it('are told with their hidden checks, not with those of an exam, and what they earned in each currency', async () => {
    const shop = await workshop(db());
    const ann = await worker(db(), shop, 'Ann');
    await worker(db(), shop, 'Bo');
    const check = (passed: boolean) => ({ check: { passed, score: form(1, 0, 0) } });
    await past(db(), shop, ann, {
      kind: 'exam',
      ago: 3,
      paidMicro: 500_000n,
      answers: [check(false), check(false)],
    });
    await past(db(), shop, ann, { ago: 2, paidMicro: 1_000_000n, answers: [{}, check(true)] });
    await db().insert(tables.ledger).values({
      projectId: shop.projectId,
      workerId: ann.userId,
      kind: 'bonus',
      sourceId: newId(),
      amountMicro: 250_000n,
      currency: 'EUR',
    });
    const [first, second] = await busiestWorkers(db(), shop.projectId, 10);
    expect(first).toMatchObject({
      name: 'Ann',
      answers: 4,
      checks: 1,
      passed: 1,
      earned: [
        { currency: 'EUR', micro: '250000' },
        { currency: 'USD', micro: '1500000' },
      ],
    });
    expect(second).toMatchObject({ name: 'Bo', answers: 0, checks: 0, earned: [], lastAt: null });
  });
});

describe('two workers side by side', () => {
  it('are compared by their checks, and by what both answered', async () => {
    const shop = await workshop(db());
    const [ann, bo] = [await worker(db(), shop, 'Ann'), await worker(db(), shop, 'Bo')];
    const good = { check: { passed: true, score: { ...form(4, 0, 0), 'right:tail': 1 } } };
    await past(db(), shop, ann, { answers: Array.from({ length: 10 }, () => good) });
    await past(db(), shop, bo, { answers: [{ check: { passed: false, score: form(1, 3, 3) } }] });
    await several(db(), shop, 'attributes', [
      { by: ann, value: marked(shop, 'wings', 'tail') },
      { by: bo, value: marked(shop, 'tail') },
    ]);
    const project = await projectOf(shop);
    const { people, stages } = await compareWorkers(db(), project, [ann.userId, bo.userId]);
    expect(people.map(({ name }) => name)).toEqual(['Ann', 'Bo']);
    expect(stages).toHaveLength(1);
    expect(stages[0]?.sides[0].trust?.precision).toMatchObject({ value: 1, n: 40 });
    expect(stages[0]?.sides[1].trust?.recall).toMatchObject({ value: 0.25 });
    expect(stages[0]?.sides[0].byTarget).toHaveProperty('tail');
    // Of the two attributes that anybody marked, both marked one.
    expect(stages[0]?.alike).toMatchObject({ value: 0.5, n: 1 });
    await expect(compareWorkers(db(), project, [ann.userId, newId()])).rejects.toThrow('no such worker');
  });
});
