import { beforeAll, describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import type { UserActor } from '@/lib/services/access';
import { batchSummary } from '@/lib/services/crowd/batch-summary';
import { join, person } from '../../services/access/people';
import { useDatabase } from '../../support/database';
import { insertItem, insertProject, type ProjectRows } from '../../support/rows';

const db = useDatabase();
let wanda: UserActor;
let zoe: UserActor;
let project: ProjectRows;

beforeAll(async () => {
  [wanda, zoe] = [await person(db(), 'Wanda'), await person(db(), 'Zoe')];
  project = await insertProject(db());
  await join(db(), wanda, project.projectId, 'worker');
  await join(db(), zoe, project.projectId, 'worker');
});

type Item = { activeMs: number; score?: typeof good };

/** Nine of ten found and nothing else; half of what was marked, and half of what is there. */
const good = {
  level: 0.95,
  truePositives: 9,
  falsePositives: 0,
  falseNegatives: 1,
  precision: 1,
  recall: 0.9,
};
const poor = {
  level: 0.5,
  truePositives: 5,
  falsePositives: 5,
  falseNegatives: 5,
  precision: 0.5,
  recall: 0.5,
};

/** A submitted batch with one answer per item; an item with a score was a hidden check. */
async function submit(worker: UserActor, list: Item[], kind: 'work' | 'exam' = 'work'): Promise<string> {
  const { projectId, stageId } = project;
  const workerId = worker.userId;
  const batchId = newId();
  const now = new Date();
  await db().insert(tables.batches).values({
    id: batchId,
    projectId,
    stageId,
    workerId,
    kind,
    state: 'submitted',
    leasedUntil: now,
    submittedAt: now,
  });
  for (const [position, { activeMs, score }] of list.entries()) {
    const { itemId } = await insertItem(db(), project);
    const leaseId = newId();
    const goldId = newId();
    const value = { kind: 'attributes', choices: {} };
    await db()
      .insert(tables.leases)
      .values({ id: leaseId, batchId, itemId, workerId, position, state: 'answered' });
    await db().insert(tables.answers).values({ id: newId(), leaseId, itemId, workerId, value, activeMs });
    if (!score) continue;
    await db().insert(tables.gold).values({ id: goldId, projectId, itemId, value });
    await db()
      .insert(tables.checks)
      .values({
        leaseId,
        goldId,
        workerId,
        score,
        passed: score.precision >= 0.75 && score.recall >= 0.75,
        scoredAt: now,
      });
  }
  return batchId;
}

const pay = (batchId: string, kind: 'batch' | 'exam', amountMicro: bigint) =>
  db().insert(tables.ledger).values({
    projectId: project.projectId,
    workerId: wanda.userId,
    kind,
    sourceId: batchId,
    amountMicro,
    currency: 'USD',
  });

describe('the summary of a finished batch', () => {
  it('says what was paid, how long it took, and what that is per hour', async () => {
    const batchId = await submit(wanda, [{ activeMs: 100_000 }, { activeMs: 200_000 }]);
    await pay(batchId, 'batch', 750_000n);
    expect(await batchSummary(db(), wanda, { batchId })).toMatchObject({
      leased: 2,
      answered: 2,
      activeMs: 300_000,
      pay: { amountMicro: 750_000n, currency: 'USD' },
      hourlyMicro: 9_000_000n,
      hourlyTarget: { amountMicro: 9_000_000n, currency: 'USD' },
    });
  });

  it('has no hourly rate where no time was measured, and no pay where none was booked', async () => {
    const batchId = await submit(wanda, [{ activeMs: 0 }]);
    expect(await batchSummary(db(), wanda, { batchId })).toMatchObject({ pay: null, hourlyMicro: null });
  });

  it('tells no score before ten checks, and then only a band that single checks do not move', async () => {
    const batchId = await submit(wanda, Array(9).fill({ activeMs: 1, score: good }));
    expect((await batchSummary(db(), wanda, { batchId })).score).toBeNull();
    await submit(wanda, [{ activeMs: 1, score: good }]);
    expect((await batchSummary(db(), wanda, { batchId })).score).toEqual({ band: 'high' });
    // Nine failures in a row would be plain to see if each of them counted as it came.
    await submit(wanda, Array(9).fill({ activeMs: 1, score: poor }));
    expect((await batchSummary(db(), wanda, { batchId })).score).toEqual({ band: 'high' });
    await submit(wanda, Array(31).fill({ activeMs: 1, score: poor }));
    expect((await batchSummary(db(), wanda, { batchId })).score).toEqual({ band: 'low' });
  });

  it('tells how long the next batch takes', async () => {
    const vera = await person(db(), 'Vera');
    await join(db(), vera, project.projectId, 'worker');
    const batch = (score: typeof good) => submit(vera, Array(5).fill({ activeMs: 3000, score }));
    await batch(poor);
    const batchId = await batch(good);
    const { nextBatchMs } = await batchSummary(db(), vera, { batchId });
    // Twenty items at the median pace.
    expect(nextBatchMs).toBe(60_000);
  });

  it('tells of an exam its own result', async () => {
    const batchId = await submit(wanda, [{ activeMs: 60_000 }], 'exam');
    await pay(batchId, 'exam', 1_500_000n);
    const { projectId, stageId } = project;
    await db().insert(tables.exams).values({
      projectId,
      stageId,
      workerId: wanda.userId,
      batchId,
      attempt: 1,
      precision: 0.9,
      recall: 0.7,
      passed: false,
      finishedAt: new Date(),
    });
    expect((await batchSummary(db(), wanda, { batchId })).exam).toEqual({
      passed: false,
      mistakes: [],
      measures: [
        { name: 'precision', value: expect.closeTo(0.9), bar: 0.75 },
        { name: 'recall', value: expect.closeTo(0.7), bar: 0.75 },
      ],
    });
  });

  it('does not exist for another worker, nor for one who has left the project', async () => {
    const batchId = await submit(wanda, [{ activeMs: 1 }]);
    await expect(batchSummary(db(), zoe, { batchId })).rejects.toMatchObject({ kind: 'not-found' });
    await expect(batchSummary(db(), wanda, { batchId: newId() })).rejects.toMatchObject({
      kind: 'not-found',
    });
    const gone = await person(db(), 'Gone');
    const theirs = await submit(gone, [{ activeMs: 1 }]);
    await expect(batchSummary(db(), gone, { batchId: theirs })).rejects.toMatchObject({ kind: 'not-found' });
  });
});
