import { and, asc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import type { RuleSetting } from '@/lib/core/quality/rules';
import type { UserActor } from '@/lib/services/access';
import {
  answerAppeal,
  appeal,
  askAgain,
  costOfAskingAgain,
  decideByHand,
  readHistory,
} from '@/lib/services/crowd/trust';
import { listWork, submitBatch, takeBatch } from '@/lib/services/crowd/work';
import { effectivePolicy } from '@/lib/services/crowd/work/effective-policy';
import { useDatabase } from '../../support/database';
import { join, person, tests } from '../access/people';
import {
  addGold,
  answer,
  ask,
  checkLeases,
  doBatch,
  elsewhere,
  itemOf,
  itemsOf,
  marked,
  paidTo,
  square,
  take,
  type Workshop,
  worker,
  workshop,
} from './workshop';

const db = useDatabase();

const failedChecks: RuleSetting[] = [{ id: 'failed-checks', params: {} }];
/** Two checks in every batch of four. */
const checked = { checkRate: 0.5, checkSchedule: 'flat' };

async function watchedShop(rules: RuleSetting[] = failedChecks) {
  const shop = await workshop(db(), checked, rules);
  await addGold(db(), shop, 'object-mask', 30, square);
  await addGold(db(), shop, 'object-mask', 30, square, { pool: 'practice' });
  await ask(db(), shop, 'object-mask', 60);
  return { shop, wanda: await worker(db(), shop), stageId: shop.stages['object-mask'] };
}

const decisionsAbout = (actor: UserActor) =>
  db()
    .select()
    .from(tables.decisions)
    .where(and(eq(tables.decisions.subject, 'worker'), eq(tables.decisions.subjectId, actor.userId)))
    .orderBy(asc(tables.decisions.id));

const standingOf = async (actor: UserActor, stageId: string) => {
  const [row] = await db()
    .select()
    .from(tables.standings)
    .where(and(eq(tables.standings.workerId, actor.userId), eq(tables.standings.stageId, stageId)));
  return row;
};

async function curatorOf(shop: Workshop): Promise<UserActor> {
  const curator = await person(db(), 'Cora');
  await join(db(), curator, shop.projectId, 'curator');
  return curator;
}

/** Works badly until the stage is closed to the worker; gives the number of batches that took. */
async function workBadly(actor: UserActor, stageId: string): Promise<number> {
  for (let batches = 0; ; batches++) {
    const taken = await takeBatch(db(), actor, { stageId }).catch((error) => {
      if (error.detail?.gate === 'refresher') return null;
      throw error;
    });
    if (taken) await doBatch(db(), actor, stageId, () => elsewhere);
    else await doBatch(db(), actor, stageId, () => elsewhere, 'practice');
    if ((await standingOf(actor, stageId))?.state === 'paused') return batches + 1;
  }
}

describe('a good worker', () => {
  it('goes from the exam through many checks without a word said against them, and is paid for all of it', async () => {
    const exam = { isRequired: true, masks: 3, practice: 2 };
    const shop = await workshop(db(), { ...checked, maskExam: exam }, failedChecks);
    await addGold(db(), shop, 'object-mask', 30, square);
    await addGold(db(), shop, 'object-mask', 2, square, { pool: 'practice' });
    await addGold(db(), shop, 'object-mask', 3, square, { pool: 'exam' });
    await ask(db(), shop, 'object-mask', 12);
    const wanda = await worker(db(), shop);
    const stageId = shop.stages['object-mask'];
    await doBatch(db(), wanda, stageId, () => square, 'practice');
    await doBatch(db(), wanda, stageId, () => square, 'exam');
    let items = 0;
    let hidden = 0;
    while ((await listWork(db(), wanda)).find((offer) => offer.stage.id === stageId)?.supply !== 'none') {
      const batch = await doBatch(db(), wanda, stageId, () => square);
      items += batch.items.length;
      hidden += (await checkLeases(db(), batch.id)).size;
    }
    // Two of four, five times, then one of two; whether the last image comes at once is left to chance.
    expect(hidden).toBeGreaterThanOrEqual(11);
    expect(items).toBe(12 + hidden);
    expect(await decisionsAbout(wanda)).toEqual([]);
    const paid = (await paidTo(db(), wanda)).reduce((sum, row) => sum + row.amountMicro, 0n);
    expect(paid).toBe(500_000n + BigInt(items) * 100_000n);
    const labels = await db().select().from(tables.labels).where(eq(tables.labels.projectId, shop.projectId));
    expect(labels).toHaveLength(12);
    // Passed checks make the later labels surer than the first.
    const confidences = labels.map((label) => label.confidence).sort();
    expect(confidences[0]).toBeGreaterThan(0.7);
    expect(confidences.at(-1)).toBeGreaterThan(confidences[0] as number);
  });
});

describe('a bad worker', () => {
  it('is told, practises, and is paused: step by step, with the reason, and paid for all of it', async () => {
    const { shop, wanda, stageId } = await watchedShop();
    await doBatch(db(), wanda, stageId, () => square);
    const batches = await workBadly(wanda, stageId);
    const decided = await decisionsAbout(wanda);
    expect(decided.length).toBeGreaterThan(0);
    for (const decision of decided.filter(({ verdict }) => verdict !== 'refreshed')) {
      expect(decision).toMatchObject({ rule: 'failed-checks', ruleVersion: 2, decidedBy: null });
      expect(decision.reason.length).toBeGreaterThan(40);
      expect(decision.stageId).toBe(stageId);
      expect(decision.evidence.length).toBeGreaterThan(0);
    }
    expect(decided.at(-1)?.verdict).toBe('pause');
    const standing = await standingOf(wanda, stageId);
    expect(standing).toMatchObject({ state: 'paused', decisionId: decided.at(-1)?.id });
    await expect(takeBatch(db(), wanda, { stageId })).rejects.toMatchObject({ detail: { gate: 'paused' } });
    // Other stages stay open.
    await ask(db(), shop, 'part-mask', 4);
    expect(await takeBatch(db(), wanda, { stageId: shop.stages['part-mask'] })).not.toBeNull();
    expect(batches).toBeLessThan(6);
    const answered = await db()
      .select()
      .from(tables.answers)
      .where(eq(tables.answers.workerId, wanda.userId));
    const paid = (await paidTo(db(), wanda)).reduce((sum, row) => sum + row.amountMicro, 0n);
    // Refreshers are paid like work.
    expect(paid).toBe(BigInt(answered.length) * 100_000n);
  });

  it('who is sent to a refresher goes on after it, and what was known before still counts', async () => {
    const { wanda, stageId } = await watchedShop([]);
    await decideByHand(db(), tests, {
      workerId: wanda.userId,
      stageId,
      verdict: 'refresher',
      reason: 'Please look at the borders.',
      askAgain: false,
    });
    await expect(takeBatch(db(), wanda, { stageId })).rejects.toThrow('Please look at the borders.');
    const half = await take(db(), wanda, stageId, 'practice');
    await submitBatch(db(), wanda, { batchId: half.id });
    await expect(takeBatch(db(), wanda, { stageId })).rejects.toMatchObject({
      detail: { gate: 'refresher' },
    });
    const practice = await doBatch(db(), wanda, stageId, () => square, 'practice');
    expect(practice).toMatchObject({ kind: 'practice', items: [{}, {}, {}] });
    const standing = await standingOf(wanda, stageId);
    expect(standing?.state).toBe('active');
    expect(standing?.since.getTime()).toBe(0);
    expect(await takeBatch(db(), wanda, { stageId })).toMatchObject({ kind: 'work' });
    expect((await decisionsAbout(wanda)).map(({ verdict }) => verdict)).toEqual(['refresher', 'refreshed']);
  });

  it('left one item of every practice round open and was paid for practice without end', async () => {
    const { shop, wanda, stageId } = await watchedShop([]);
    await addGold(db(), shop, 'object-mask', 12, square, { pool: 'practice' });
    const about = { workerId: wanda.userId, stageId, askAgain: false };
    await decideByHand(db(), tests, { ...about, verdict: 'refresher', reason: 'Practise.' });
    let rounds = 0;
    for (; rounds < 5 && (await standingOf(wanda, stageId))?.state === 'refresher'; rounds++) {
      const { id: batchId, items } = await take(db(), wanda, stageId, 'practice');
      for (const { leaseId } of items.slice(1)) await answer(db(), wanda, leaseId, square);
      await submitBatch(db(), wanda, { batchId });
    }
    expect(rounds).toBe(2);
  });

  it('whose refresher ended before an upgrade has no fresh start from it', async () => {
    const { shop, wanda, stageId } = await watchedShop([]);
    const about = { projectId: shop.projectId, subject: 'worker' as const, subjectId: wanda.userId, stageId };
    const byRule = { ...about, verdict: 'resume', reason: 'The refresher is done.', ruleVersion: 1 };
    await db()
      .insert(tables.decisions)
      .values({ ...byRule, rule: 'refresher' });
    const policy = effectivePolicy({}, {});
    const whose = { projectId: shop.projectId, stageId, workerId: wanda.userId, policy, newest: 10 };
    expect((await readHistory(db(), whose)).actions).toMatchObject([{ verdict: 'refreshed', target: null }]);
  });

  it('is not kept in a refresher for which there is no gold', async () => {
    const shop = await workshop(db());
    await ask(db(), shop, 'object-mask', 1);
    const wanda = await worker(db(), shop);
    const stageId = shop.stages['object-mask'];
    const about = { workerId: wanda.userId, stageId, askAgain: false };
    await decideByHand(db(), tests, { ...about, verdict: 'refresher', reason: 'Practise.' });
    expect(await takeBatch(db(), wanda, { stageId, kind: 'practice' })).toBeNull();
    expect(await takeBatch(db(), wanda, { stageId })).toMatchObject({ kind: 'work' });
  });
});

describe('an appeal', () => {
  it('that is granted lets the worker go on, and old evidence no longer counts', async () => {
    const { shop, wanda, stageId } = await watchedShop();
    await workBadly(wanda, stageId);
    const pause = (await decisionsAbout(wanda)).at(-1);
    const input = { decisionId: pause?.id as string, appealId: newId(), text: 'The pictures were tiny.' };
    const made = await appeal(db(), wanda, input);
    expect(await appeal(db(), wanda, input)).toEqual(made);
    await expect(appeal(db(), wanda, { ...input, appealId: newId() })).rejects.toThrow(
      'objected to this decision',
    );
    const will = await worker(db(), shop, 'Will');
    await expect(appeal(db(), will, { ...input, appealId: newId() })).rejects.toThrow('no such decision');
    const curator = await curatorOf(shop);
    const granted = { appealId: input.appealId, outcome: 'granted' as const, reply: 'You are right.' };
    await expect(answerAppeal(db(), wanda, granted)).rejects.toMatchObject({ kind: 'not-found' });
    await answerAppeal(db(), curator, granted);
    await expect(answerAppeal(db(), curator, granted)).rejects.toThrow('answered already');
    expect((await standingOf(wanda, stageId))?.state).toBe('active');
    for (let n = 0; n < 2; n++) await doBatch(db(), wanda, stageId, () => square);
    expect((await decisionsAbout(wanda)).at(-1)).toMatchObject({
      verdict: 'resume',
      reason: 'You are right.',
      decidedBy: curator.userId,
    });
  });

  it('that is not granted changes nothing but is answered', async () => {
    const { shop, wanda, stageId } = await watchedShop();
    await workBadly(wanda, stageId);
    const pause = (await decisionsAbout(wanda)).at(-1);
    const appealId = newId();
    await appeal(db(), wanda, { decisionId: pause?.id as string, appealId, text: 'No.' });
    await answerAppeal(db(), await curatorOf(shop), {
      appealId,
      outcome: 'upheld',
      reply: 'The borders are far off.',
    });
    expect((await standingOf(wanda, stageId))?.state).toBe('paused');
    const [row] = await db().select().from(tables.appeals).where(eq(tables.appeals.id, appealId));
    expect(row).toMatchObject({ outcome: 'upheld', reply: 'The borders are far off.' });
  });
});

describe('a curator', () => {
  it('ends a worker in the middle of a batch: finished items are paid, the others go on, and old pages are shut', async () => {
    const { shop, wanda, stageId } = await watchedShop([]);
    const batch = await take(db(), wanda, stageId);
    const [done, open] = batch.items.map((item) => item.leaseId) as [string, string];
    await answer(db(), wanda, done);
    const curator = await curatorOf(shop);
    const end = {
      workerId: wanda.userId,
      stageId,
      verdict: 'end' as const,
      reason: 'Agreed by mail.',
      askAgain: false,
    };
    await expect(decideByHand(db(), wanda, end)).rejects.toMatchObject({ kind: 'not-found' });
    await decideByHand(db(), curator, end);
    await expect(decideByHand(db(), curator, end)).rejects.toThrow('ended already');
    expect((await paidTo(db(), wanda)).map((row) => row.amountMicro)).toEqual([100_000n]);
    await expect(answer(db(), wanda, open)).rejects.toThrow('was stopped');
    await expect(takeBatch(db(), wanda, { stageId })).rejects.toThrow('Agreed by mail.');
    expect((await itemsOf(db(), stageId)).every((item) => item.leased === 0)).toBe(true);
  });
});

describe('asking again', () => {
  it('shows its price, sets the work since the last good check aside, and others do it anew', async () => {
    const { shop, wanda, stageId } = await watchedShop();
    // Two: in the last of them, checks may come before all other items, and then nothing of it would stand.
    for (let n = 0; n < 2; n++) await doBatch(db(), wanda, stageId, () => square);
    await workBadly(wanda, stageId);
    const curator = await curatorOf(shop);
    const about = { workerId: wanda.userId, stageId };
    const before = await itemsOf(db(), stageId);
    const cost = await costOfAskingAgain(db(), curator, about);
    expect(cost.since).toBeInstanceOf(Date);
    expect(cost.answers).toBeGreaterThan(1);
    expect(cost.amountMicro).toBe(BigInt(cost.answers) * 100_000n);
    expect(await askAgain(db(), curator, about)).toEqual({ answers: cost.answers });
    expect(await askAgain(db(), curator, about)).toEqual({ answers: 0 });
    const after = await itemsOf(db(), stageId);
    const settled = (list: typeof before) => list.filter((item) => item.state === 'settled').length;
    expect(settled(before) - settled(after)).toBe(cost.answers);
    const reopened = after.filter((item) => item.priority > 0);
    expect(reopened).toHaveLength(cost.answers);
    for (const item of reopened) expect(item).toMatchObject({ state: 'open', answered: 0, leased: 0 });
    const current = await db()
      .select()
      .from(tables.labels)
      .where(and(eq(tables.labels.projectId, shop.projectId), eq(tables.labels.isCurrent, true)));
    // What she drew before the first bad check still stands.
    expect(current.length).toBeGreaterThan(0);
    for (const label of current) expect(label.value).toEqual(square);

    const will = await worker(db(), shop, 'Will');
    const next = await doBatch(db(), will, stageId, () => square);
    const got = await Promise.all(next.items.map(({ leaseId }) => itemOf(db(), leaseId)));
    expect(got.filter((item) => item.priority > 0).length).toBeGreaterThan(0);
    const redone = got.find((item) => item.priority > 0);
    expect(redone).toMatchObject({ state: 'settled', answered: 1 });
    const history = await db()
      .select()
      .from(tables.labels)
      .where(eq(tables.labels.itemId, redone?.id as string));
    expect(history.map((label) => label.isCurrent).sort()).toEqual([false, true]);
    expect((await paidTo(db(), wanda)).length).toBeGreaterThan(0);
  });

  it('withdraws the questions that only followed from the answers, and revives them when they follow again', async () => {
    const shop = await workshop(db());
    const wanda = await worker(db(), shop);
    await ask(db(), shop, 'attributes', 1);
    await doBatch(db(), wanda, shop.stages.attributes, () => marked(shop, 'tail', 'ears', 'mane', 'brown'));
    const parts = async () =>
      new Map((await itemsOf(db(), shop.stages['part-mask'])).map((item) => [item.target, item]));
    // One part is drawn by then, one is denied.
    const will = await worker(db(), shop, 'Will');
    const drawn = await take(db(), will, shop.stages['part-mask']);
    for (const { leaseId, target } of drawn.items) {
      if (target?.id === 'ears') continue;
      await answer(db(), will, leaseId, target?.id === 'tail' ? square : { kind: 'nothing' });
    }
    await submitBatch(db(), will, { batchId: drawn.id });
    const about = { workerId: wanda.userId, stageId: shop.stages.attributes };
    expect(await askAgain(db(), tests, about)).toEqual({ answers: 1 });
    expect([...(await parts()).values()].map((item) => [item.target, item.state]).sort()).toEqual([
      ['ears', 'withdrawn'],
      ['mane', 'settled'],
      ['tail', 'settled'],
    ]);
    expect((await itemsOf(db(), shop.stages['object-mask']))[0]?.state).toBe('withdrawn');

    await doBatch(db(), will, shop.stages.attributes, () => marked(shop, 'tail', 'ears', 'mane', 'brown'));
    expect([...(await parts()).values()].map((item) => [item.target, item.state]).sort()).toEqual([
      ['ears', 'open'],
      ['mane', 'open'],
      ['tail', 'settled'],
    ]);
    expect((await parts()).get('mane')).toMatchObject({ overlap: 2, answered: 1 });
    expect((await itemsOf(db(), shop.stages['object-mask']))[0]?.state).toBe('open');
  });
});
