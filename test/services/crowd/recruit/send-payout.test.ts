import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import type { UserActor } from '@/lib/services/access';
import { listPayouts } from '@/lib/services/crowd/overview/list-payouts';
import { approvePayout, cancelPayout, payBonus, sendPayout, workerMoney } from '@/lib/services/crowd/pay';
import { useDatabase } from '../../../support/database';
import { join, person } from '../../access/people';
import { type Workshop, worker, workshop } from '../workshop';
import { prolificId, useProlific } from './fake-prolific';

const db = useDatabase();
const fake = useProlific();

let shop: Workshop;
let curator: UserActor;
let wanda: UserActor;
let will: UserActor;
const study = prolificId();
const participant = prolificId();
const codes = { finished: 'DONE1234', screenedOut: 'SCREEN12', returned: 'RETURN12' };
const settings = { codes, batches: 1, currency: 'USD' };

/** Wanda came by a study of Prolific, Will by a link of the project. Both have earned a bonus. */
beforeEach(async () => {
  fake.state.isDown = false;
  await db().delete(tables.recruitments);
  shop = await workshop(db());
  const { projectId } = shop;
  curator = await person(db(), 'Cora');
  await join(db(), curator, projectId, 'curator');
  [wanda, will] = [await worker(db(), shop), await worker(db(), shop, 'Will')];
  const recruitmentId = newId();
  await db()
    .insert(tables.recruitments)
    .values({ id: recruitmentId, projectId, recruiter: 'prolific', externalId: study, settings });
  await db().insert(tables.arrivals).values({
    recruitmentId,
    projectId,
    workerId: wanda.userId,
    externalWorker: participant,
    externalSession: prolificId(),
  });
  const lines = [wanda, will].map(({ userId }) => ({ workerId: userId, amountMicro: 1_234_501n }));
  await payBonus(db(), curator, { projectId, bonusId: newId(), currency: 'USD', note: 'Thank you', lines });
});

async function lists() {
  await approvePayout(db(), curator, { projectId: shop.projectId, note: '' });
  const made = await listPayouts(db(), shop.projectId);
  const of = (recruiter: string | null) =>
    made.find((payout) => payout.recruiter === recruiter)?.id as string;
  return { prolific: of('prolific'), own: of(null) };
}

const moneyOf = async (actor: UserActor) => (await workerMoney(db(), actor.userId))[0];
const stateOf = async (payoutId: string) =>
  (await db().select().from(tables.payouts).where(eq(tables.payouts.id, payoutId)))[0];

describe('what people of a marketplace have earned', () => {
  it('is on a list of its own, sent through Prolific once, a fraction of a cent in their favour', async () => {
    const { prolific, own } = await lists();
    await Promise.all([1, 2, 3].map(() => sendPayout(db(), curator, { payoutId: prolific })));
    expect(fake.bonuses.filter((bonus) => bonus.study_id === study)).toEqual([
      { study_id: study, csv_bonuses: `${participant},1.24`, isPaid: true },
    ]);
    expect(await moneyOf(wanda)).toMatchObject({ paid: 1_234_501n, approved: 0n, pending: 0n });
    await expect(sendPayout(db(), curator, { payoutId: own })).rejects.toThrow('by hand');
    expect(await moneyOf(will)).toMatchObject({ paid: 0n, approved: 1_234_501n });
    await expect(sendPayout(db(), wanda, { payoutId: own })).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('is not sent in another currency than the study’s, nor called paid without a token', async () => {
    const { prolific } = await lists();
    await db()
      .update(tables.recruitments)
      .set({ settings: { ...settings, currency: 'GBP' } });
    await expect(sendPayout(db(), curator, { payoutId: prolific })).rejects.toThrow('pays in GBP');
    await db().update(tables.recruitments).set({ settings });
    fake.state.refusesToPay = true;
    await expect(sendPayout(db(), curator, { payoutId: prolific })).rejects.toThrow('does not answer');
    fake.state.refusesToPay = false;
    const token = process.env.TESSERA_PROLIFIC_TOKEN;
    delete process.env.TESSERA_PROLIFIC_TOKEN;
    await expect(sendPayout(db(), curator, { payoutId: prolific })).rejects.toThrow('TESSERA_PROLIFIC_TOKEN');
    process.env.TESSERA_PROLIFIC_TOKEN = token;
    expect(await moneyOf(wanda)).toMatchObject({ paid: 0n, approved: 1_234_501n });
  });

  it('is not paid twice when Prolific breaks off after it was handed over', async () => {
    const { prolific } = await lists();
    const before = fake.bonuses.length;
    fake.state.isDown = true;
    await expect(sendPayout(db(), curator, { payoutId: prolific })).rejects.toThrow('does not answer');
    expect(await stateOf(prolific)).toMatchObject({ state: 'approved', reference: null });

    fake.state.isDown = false;
    fake.state.refusesToPay = true;
    await expect(sendPayout(db(), curator, { payoutId: prolific })).rejects.toThrow('does not answer');
    expect(await stateOf(prolific)).toMatchObject({ state: 'approved', reference: `bonus-${before + 1}` });
    expect(await moneyOf(wanda)).toMatchObject({ paid: 0n, approved: 1_234_501n });
    await expect(cancelPayout(db(), curator, { payoutId: prolific })).rejects.toThrow('mark it as paid');

    fake.state.refusesToPay = false;
    await sendPayout(db(), curator, { payoutId: prolific });
    expect(fake.bonuses.slice(before)).toMatchObject([{ isPaid: true }]);
    expect(await moneyOf(wanda)).toMatchObject({ paid: 1_234_501n });
  });
});
