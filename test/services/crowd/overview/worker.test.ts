import { describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { consentCounts } from '@/lib/services/crowd/overview/consent-counts';
import { crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import { getWorker } from '@/lib/services/crowd/overview/get-worker';
import { checkDays, goldUse } from '@/lib/services/crowd/overview/gold-use';
import { workerDecisions, workerSignals } from '@/lib/services/crowd/overview/worker-evidence';
import { workerChecks, workerStages, workerTimes } from '@/lib/services/crowd/overview/worker-stages';
import { answerAppeal } from '@/lib/services/crowd/trust';
import { useDatabase } from '../../../support/database';
import { join, person } from '../../access/people';
import { worker, workshop } from '../workshop';
import { form, newGold, past, pausedAndAppealing, sat } from './past';

const db = useDatabase();

describe('the page of a worker', () => {
  it('knows the person, their consent and their money', async () => {
    const shop = await workshop(db());
    const ann = await worker(db(), shop, 'Ann');
    await past(db(), shop, ann, { paidMicro: 1_500_000n, answers: [{}] });
    await db().insert(tables.ledger).values({
      projectId: shop.projectId,
      workerId: ann.userId,
      kind: 'payment',
      sourceId: newId(),
      amountMicro: -1_000_000n,
      currency: 'USD',
    });
    const found = await getWorker(db(), shop.projectId, ann.userId);
    expect(found).toMatchObject({
      name: 'Ann',
      isMember: true,
      earnedMicro: 1_500_000n,
      paidMicro: 1_000_000n,
    });
    expect(found.consent?.kind).toBe('agreed');
    expect(await consentCounts(db(), shop.projectId)).toEqual({
      agreed: 1,
      outdated: 0,
      withdrawn: 0,
      missing: 0,
    });
  });

  it('does not exist for somebody of another project', async () => {
    const shop = await workshop(db());
    const stranger = await worker(db(), await workshop(db()), 'Stranger');
    await expect(getWorker(db(), shop.projectId, stranger.userId)).rejects.toThrow('no such worker');
  });

  it('sets the time per item beside that of everybody', async () => {
    const shop = await workshop(db());
    const [ann, bo] = [await worker(db(), shop, 'Ann'), await worker(db(), shop, 'Bo')];
    await past(db(), shop, ann, { answers: [{ ms: 2000 }, { ms: 4000 }, { ms: 6000 }] });
    await past(db(), shop, bo, { answers: [{ ms: 20_000 }, { ms: 30_000 }] });
    await sat(db(), shop, ann, { passed: true, answers: [{ ms: 90_000 }] });
    const [stage] = await workerStages(db(), shop.projectId, ann.userId);
    expect(stage).toMatchObject({ items: 3, medianSeconds: 4, poolMedianSeconds: 6, standing: null });
    const times = await workerTimes(db(), shop.projectId, ann.userId);
    expect(times.map((time) => time.seconds).toSorted()).toEqual([2, 4, 6]);
  });

  it('lists checks in time order, with the kind of batch that they were in', async () => {
    const shop = await workshop(db());
    const ann = await worker(db(), shop, 'Ann');
    await past(db(), shop, ann, {
      ago: 2,
      answers: [{}, { check: { passed: false, score: form(0, 1, 1) } }],
    });
    await past(db(), shop, ann, {
      ago: 9,
      kind: 'exam',
      answers: [{ check: { passed: true, score: form(1, 0, 0) } }],
    });
    const found = await workerChecks(db(), shop.projectId, ann.userId);
    expect(found.map(({ kind, passed }) => [kind, passed])).toEqual([
      ['exam', true],
      ['work', false],
    ]);
  });

  it('tells decisions with the appeal against them and its answer', async () => {
    const shop = await workshop(db());
    const ann = await worker(db(), shop, 'Ann');
    const curator = await person(db(), 'Carla');
    await join(db(), curator, shop.projectId, 'curator');
    const { appealId } = await pausedAndAppealing(db(), shop, ann, 'The picture was broken.');
    const [open] = await workerDecisions(db(), shop.projectId, ann.userId);
    expect(open).toMatchObject({ verdict: 'pause', rule: 'failed-checks', stageId: shop.stages.attributes });
    expect(open?.appeal).toMatchObject({ text: 'The picture was broken.', outcome: null });
    await answerAppeal(db(), curator, { appealId, outcome: 'granted', reply: 'You are right.' });
    const [resume, pause] = await workerDecisions(db(), shop.projectId, ann.userId);
    expect(resume).toMatchObject({ verdict: 'resume', decidedBy: 'Carla', appeal: null });
    expect(pause?.appeal).toMatchObject({ outcome: 'granted', reply: 'You are right.', answeredBy: 'Carla' });
  });

  it('shows what every rule sees, also those that are switched off', async () => {
    const shop = await workshop(db(), {}, [{ id: 'below-bar', params: {} }]);
    const ann = await worker(db(), shop, 'Ann');
    const wrong = { check: { passed: false, score: form(0, 5, 5) } };
    await past(db(), shop, ann, { answers: Array.from({ length: 6 }, () => wrong) });
    const stages = await crowdStages(db(), { id: shop.projectId, policy: {} });
    const signals = await workerSignals(db(), { projectId: shop.projectId, workerId: ann.userId, stages });
    const seen = Object.fromEntries(signals.map(({ rule, isInForce }) => [rule, isInForce]));
    expect(seen).toMatchObject({ 'below-bar': true, 'failed-checks': false });
  });
});

describe('the use of gold', () => {
  it('counts who met it and who passed it, and what share of the work are checks', async () => {
    const shop = await workshop(db());
    const goldId = await newGold(db(), shop, 'attributes');
    for (const [name, passed] of [
      ['Ann', true],
      ['Bo', false],
      ['Cy', true],
    ] as const) {
      const who = await worker(db(), shop, name);
      await past(db(), shop, who, { answers: [{}, {}, { check: { passed, score: form(1, 0, 0), goldId } }] });
    }
    const uses = await goldUse(db(), shop.projectId);
    expect(uses).toHaveLength(1);
    expect(uses[0]).toMatchObject({ id: goldId, state: 'active', checks: 3, passed: 2, hasDrifted: false });
    const days = await checkDays(db(), shop.projectId);
    const sum = (of: 'answers' | 'checks' | 'passed') => days.reduce((total, day) => total + day[of], 0);
    expect([sum('answers'), sum('checks'), sum('passed')]).toEqual([9, 3, 2]);
  });
});
