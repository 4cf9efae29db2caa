import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { getLeaseImage } from '@/app/api/v1/leases';
import { tables } from '@/db';
import { acceptInvitation, addMember, createInvitation, removeMember } from '@/lib/services/accounts';
import { batchSummary } from '@/lib/services/crowd/batch-summary';
import { decideByHand } from '@/lib/services/crowd/trust';
import { listWork, returnBatch, submitBatch, takeBatch } from '@/lib/services/crowd/work';
import { findLeaseImage } from '@/lib/services/crowd/work/lease-image';
import { putBlob, storage } from '@/lib/services/storage';
import { call, withKey } from '../../app/api/call';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { keyOf, tests } from '../access/people';
import { addGold, agree, answer, ask, doBatch, square, take, worker, workshop } from './workshop';

const db = useDatabase();
useHome();
const kind = 'object-mask' as const;

describe('a worker who looks without working', () => {
  it('returns a few batches a day and is then told to come back later', async () => {
    const shop = await workshop(db(), { limits: { returnsPerDay: 2 } });
    await ask(db(), shop, kind, 40);
    const [wanda, stageId] = [await worker(db(), shop), shop.stages[kind]];
    for (let n = 0; n < 2; n++)
      await returnBatch(db(), wanda, { batchId: (await take(db(), wanda, stageId)).id });
    await expect(takeBatch(db(), wanda, { stageId })).rejects.toThrow(/You returned 2 batches/);
    const [offer] = (await listWork(db(), wanda)).filter(({ stage }) => stage.id === stageId);
    expect(offer?.gate).toMatchObject({ gate: 'limit' });
  });

  it('submits a few empty batches a day', async () => {
    const shop = await workshop(db(), { limits: { emptyBatchesPerDay: 2 } });
    await ask(db(), shop, kind, 40);
    const [wanda, stageId] = [await worker(db(), shop), shop.stages[kind]];
    for (let n = 0; n < 2; n++)
      await submitBatch(db(), wanda, { batchId: (await take(db(), wanda, stageId)).id });
    await expect(takeBatch(db(), wanda, { stageId })).rejects.toThrow(/without an answer/);
  });

  it('has practised once any answer was revealed, however the round ended', async () => {
    const exam = { isRequired: true, masks: 3, practice: 2 };
    const shop = await workshop(db(), { maskExam: exam });
    await addGold(db(), shop, kind, 10, square, { pool: 'practice' });
    const [wanda, stageId] = [await worker(db(), shop), shop.stages[kind]];
    const round = await take(db(), wanda, stageId, 'practice');
    await answer(db(), wanda, round.items[0]?.leaseId as string);
    await returnBatch(db(), wanda, { batchId: round.id });
    await expect(takeBatch(db(), wanda, { stageId, kind: 'practice' })).rejects.toThrow(/done the practice/);
  });
});

describe('practice leaked the answers of hidden checks', () => {
  it('now an answer that was revealed is burned for the worker, in whatever state the batch ended', async () => {
    const exam = { isRequired: true, masks: 3, practice: 2 };
    const shop = await workshop(db(), { maskExam: exam, checkRate: 0.5, checkSchedule: 'flat' });
    await addGold(db(), shop, kind, 6, square, { pool: 'practice' });
    await addGold(db(), shop, kind, 3, square, { pool: 'exam' });
    await ask(db(), shop, kind, 60);
    const stageId = shop.stages[kind];
    const goldMetBy = async (userId: string, batchKind: 'practice' | 'work') => {
      const met = await db()
        .select({ goldId: tables.checks.goldId })
        .from(tables.checks)
        .innerJoin(tables.leases, eq(tables.leases.id, tables.checks.leaseId))
        .innerJoin(tables.batches, eq(tables.batches.id, tables.leases.batchId))
        .where(and(eq(tables.checks.workerId, userId), eq(tables.batches.kind, batchKind)));
      return met.map(({ goldId }) => goldId);
    };
    const people = [
      await worker(db(), shop),
      await worker(db(), shop, 'Will'),
      await worker(db(), shop, 'Wei'),
    ];
    const ends = ['return', 'expire', 'submit'] as const;
    for (const [n, actor] of people.entries()) {
      const round = await take(db(), actor, stageId, 'practice');
      await answer(db(), actor, round.items[0]?.leaseId as string);
      if (ends[n] === 'return') await returnBatch(db(), actor, { batchId: round.id });
      if (ends[n] === 'submit') await submitBatch(db(), actor, { batchId: round.id });
      if (ends[n] === 'expire')
        await db()
          .update(tables.batches)
          .set({ leasedUntil: new Date(0) })
          .where(eq(tables.batches.id, round.id));
    }
    // Even if a curator could make checks of all gold that practice has shown.
    await db().update(tables.gold).set({ pool: 'check' }).where(eq(tables.gold.pool, 'practice'));
    for (const actor of people) {
      await doBatch(db(), actor, stageId, () => square, 'exam');
      for (let n = 0; n < 3; n++) await doBatch(db(), actor, stageId, () => square);
      const revealed = new Set(await goldMetBy(actor.userId, 'practice'));
      const checked = await goldMetBy(actor.userId, 'work');
      expect(revealed.size).toBe(2);
      expect(checked).toHaveLength(4);
      expect(checked.filter((id) => revealed.has(id))).toEqual([]);
    }
  });
});

describe('a refresher', () => {
  it('cannot be returned without limit to see all practice gold', async () => {
    const shop = await workshop(db(), { limits: { returnsPerDay: 1 } });
    await addGold(db(), shop, kind, 10, square, { pool: 'practice' });
    const [wanda, stageId] = [await worker(db(), shop), shop.stages[kind]];
    const about = { workerId: wanda.userId, stageId, askAgain: false };
    await decideByHand(db(), tests, { ...about, verdict: 'refresher', reason: 'Practise.' });
    await returnBatch(db(), wanda, { batchId: (await take(db(), wanda, stageId, 'practice')).id });
    const again = takeBatch(db(), wanda, { stageId, kind: 'practice' });
    await expect(again).rejects.toThrow(/You returned 1 batch/);
  });
});

describe('gold pools', () => {
  it('keep practice, exams and checks apart', async () => {
    const exam = { isRequired: true, masks: 3, practice: 2 };
    const shop = await workshop(db(), { maskExam: exam, checkRate: 0.5, checkSchedule: 'flat' });
    const pools = {
      practice: await addGold(db(), shop, kind, 4, square, { pool: 'practice' }),
      exam: await addGold(db(), shop, kind, 4, square, { pool: 'exam' }),
      work: await addGold(db(), shop, kind, 10, square, { pool: 'check' }),
    };
    await ask(db(), shop, kind, 20);
    const [wanda, stageId] = [await worker(db(), shop), shop.stages[kind]];
    for (const batchKind of ['practice', 'exam', 'work'] as const) {
      const batch = await doBatch(db(), wanda, stageId, () => square, batchKind);
      const met = await db()
        .select({ goldId: tables.checks.goldId })
        .from(tables.checks)
        .innerJoin(tables.leases, eq(tables.leases.id, tables.checks.leaseId))
        .where(eq(tables.leases.batchId, batch.id));
      expect(met.length).toBeGreaterThan(0);
      for (const { goldId } of met) expect(pools[batchKind]).toContain(goldId);
    }
  });

  it('stop at the exposure limit of a cohort', async () => {
    const shop = await workshop(db(), {
      checkRate: 0.5,
      checkSchedule: 'flat',
      gold: { maxExposures: 100, maxCohortExposures: 1 },
    });
    await addGold(db(), shop, kind, 2, square);
    await ask(db(), shop, kind, 40);
    const stageId = shop.stages[kind];
    const cohorts = ['a', 'a', 'b'];
    const met: number[] = [];
    for (const [n, cohort] of cohorts.entries()) {
      const actor = await worker(db(), shop, `W${n}`);
      await db()
        .update(tables.memberships)
        .set({ cohort })
        .where(eq(tables.memberships.userId, actor.userId));
      await doBatch(db(), actor, stageId, () => square);
      met.push(await db().$count(tables.checks, eq(tables.checks.workerId, actor.userId)));
    }
    expect(met).toEqual([2, 0, 2]);
  });

  it('end a worker’s batches when they have met as much gold as one person may', async () => {
    const gold = { maxExposures: 100, maxWorkerChecks: 2 };
    const shop = await workshop(db(), { checkRate: 0.5, checkSchedule: 'flat', gold });
    await addGold(db(), shop, kind, 20, square);
    await ask(db(), shop, kind, 40);
    const [wanda, stageId] = [await worker(db(), shop), shop.stages[kind]];
    await doBatch(db(), wanda, stageId, () => square);
    await expect(takeBatch(db(), wanda, { stageId })).rejects.toThrow(/limit for one person in this stage/);
  });
});

describe('the address and headers of an image', () => {
  it('named its content, so that two workers could match gold: now they name the lease only', async () => {
    const shop = await workshop(db(), { overlap: 2 });
    // Read back as JSON by `call`.
    const { sha256 } = await putBlob(db(), storage(), Buffer.from('"the same pixels"'), {
      mediaType: 'image/png',
    });
    await ask(db(), shop, kind, 1, { overlap: 2 });
    await db().execute(sql`update images set blob = ${sha256} where project_id = ${shop.projectId}`);
    const seen = [];
    for (const name of ['Wanda', 'Will']) {
      const actor = await worker(db(), shop, name);
      const { items } = await take(db(), actor, shop.stages[kind]);
      const [item] = items;
      const headers = withKey(await keyOf(db(), actor, 'read'));
      const reply = await call(getLeaseImage, { params: { lease: item?.leaseId as string }, headers });
      expect(reply).toMatchObject({ status: 200, json: 'the same pixels' });
      expect(JSON.stringify(items)).not.toContain(sha256.slice(0, 12));
      expect([...reply.headers.keys()]).not.toContain('last-modified');
      const { etag, ...others } = Object.fromEntries(reply.headers);
      expect(JSON.stringify(others)).not.toContain(sha256.slice(0, 12));
      seen.push({ url: item?.image.working.url, etag, others: Object.keys(others).sort() });
    }
    const [first, second] = seen;
    expect(first?.url).not.toBe(second?.url);
    expect(first?.etag).not.toBe(second?.etag);
    expect(first?.etag).not.toContain(sha256.slice(0, 12));
    expect(first?.others).toEqual(second?.others);
  });
});

describe('a removed worker', () => {
  it('cannot rejoin by the same link or another one, until a curator adds them', async () => {
    const shop = await workshop(db());
    const wanda = await worker(db(), shop);
    const { projectId } = shop;
    const link = () =>
      createInvitation(db(), tests, {
        projectId,
        roles: ['worker'],
        seats: 5,
        expiresAt: new Date(Date.now() + 60_000),
      });
    await removeMember(db(), tests, { projectId, userId: wanda.userId, role: 'worker' });
    for (const { token } of [await link(), await link()])
      await expect(acceptInvitation(db(), token, { actor: wanda })).rejects.toThrow(/You were removed/);
    await addMember(db(), tests, { projectId, userId: wanda.userId, role: 'worker' });
    await removeMember(db(), tests, { projectId, userId: wanda.userId, role: 'worker' });
    await expect(acceptInvitation(db(), (await link()).token, { actor: wanda })).rejects.toThrow();
  });

  it('sees no image any more, from the moment of removal', async () => {
    const shop = await workshop(db());
    await ask(db(), shop, kind, 4);
    const wanda = await worker(db(), shop);
    const [item] = (await take(db(), wanda, shop.stages[kind])).items;
    const where = { leaseId: item?.leaseId as string };
    await expect(findLeaseImage(db(), wanda, where)).resolves.toMatchObject({ sha256: expect.any(String) });
    const headers = withKey(await keyOf(db(), wanda, 'read'));
    await removeMember(db(), tests, { projectId: shop.projectId, userId: wanda.userId, role: 'worker' });
    await expect(findLeaseImage(db(), wanda, where)).rejects.toThrow(/lease/);
    expect((await call(getLeaseImage, { params: { lease: where.leaseId }, headers })).status).toBe(404);
  });
});

describe('a message about the quality of the work', () => {
  it('is on the home page and on the page after a batch, and a paused worker is offered no batch', async () => {
    const shop = await workshop(db());
    await ask(db(), shop, kind, 20);
    const [wanda, stageId] = [await worker(db(), shop), shop.stages[kind]];
    const { id: batchId } = await doBatch(db(), wanda, stageId, () => square);
    const about = { projectId: shop.projectId, subject: 'worker' as const, subjectId: wanda.userId, stageId };
    await db()
      .insert(tables.decisions)
      .values({ ...about, verdict: 'hint', reason: 'Please draw closer.' });
    const home = async () => (await listWork(db(), wanda)).find(({ stage }) => stage.id === stageId);
    expect((await home())?.hint).toBe('Please draw closer.');
    expect(await batchSummary(db(), wanda, { batchId })).toMatchObject({
      hint: 'Please draw closer.',
      gate: null,
    });
    const [paused] = await db()
      .insert(tables.decisions)
      .values({ ...about, verdict: 'pause', reason: 'Too many boxes.' })
      .returning();
    await db().insert(tables.standings).values({
      stageId,
      workerId: wanda.userId,
      projectId: shop.projectId,
      state: 'paused',
      decisionId: paused?.id,
    });
    expect((await home())?.gate).toMatchObject({
      gate: 'paused',
      says: expect.stringContaining('Too many boxes.'),
    });
    expect(await batchSummary(db(), wanda, { batchId })).toMatchObject({
      gate: { gate: 'paused' },
      decisionId: paused?.id,
      hint: null,
    });
    await agree(db(), wanda, shop.projectId);
  });
});
