import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Database, tables } from '@/db';
import { PayeeDetails } from '@/lib/core/payee';
import { rival10Policy } from '@/lib/core/quality/rival10';
import type { UserActor } from '@/lib/services/access';
import { removeMember } from '@/lib/services/accounts';
import { listAudit } from '@/lib/services/activity';
import {
  approvePayout,
  deletePayee,
  exportPayees,
  listPayees,
  ownPayees,
  readPayee,
  savePayee,
} from '@/lib/services/crowd/pay';
import { openPayee, sealPayee } from '@/lib/services/crowd/pay/seal-payee';
import { changePolicy } from '@/lib/services/crowd/policy/change-policy';
import { effectivePolicy } from '@/lib/services/crowd/work/effective-policy';
import { myData } from '@/lib/services/crowd/worker';
import { checkRules } from '@/lib/services/invariants/check-rules';
import { useDatabase } from '../../support/database';
import { somebodyWaits } from '../../support/meanwhile';
import { join, keyOf, person, tests } from '../access/people';
import { ask, doBatch, square, worker, workshop } from './workshop';

const db = useDatabase();
let crowd: Database;

beforeAll(() => {
  crowd = connect(process.env.DATABASE_URL as string, { max: 12 });
});
afterAll(() => crowd.$client.end());

const bank = PayeeDetails.parse({
  method: 'bank',
  name: 'Wanda Silva',
  account: 'DE89370400440532013000',
});
const paypal = PayeeDetails.parse({ method: 'paypal', name: 'Wanda Silva', email: 'wanda@example.org' });
/** Whatever must not be readable anywhere. */
// Long enough not to occur in random ids and times.
const traces = ['Wanda Silva', '370400440532', 'DE893704', 'wanda@example.org'];

const settings = { isOn: true, bank: true, paypal: true, other: false, schedule: 'monthly' };

/** A project that asks, a curator, and Wanda who has earned 0.40 in it. */
async function askingShop(policy: Record<string, unknown> = { payees: settings }) {
  const shop = await workshop(db(), policy);
  await ask(db(), shop, 'object-mask', 4);
  const wanda = await worker(db(), shop, 'Wren');
  await doBatch(db(), wanda, shop.stages['object-mask'], () => square);
  const curator = await person(db(), 'Cora');
  await join(db(), curator, shop.projectId, 'curator');
  return { shop, wanda, curator, projectId: shop.projectId };
}

/** Wanda came by a study at a marketplace. */
async function arrive(workerId: string, projectId: string): Promise<void> {
  const [study] = await db()
    .insert(tables.recruitments)
    .values({ projectId, recruiter: 'prolific', externalId: workerId, settings: {} })
    .returning({ id: tables.recruitments.id });
  await db()
    .insert(tables.arrivals)
    .values({
      projectId,
      workerId,
      recruitmentId: study?.id as string,
      externalWorker: workerId,
      externalSession: workerId,
    });
}

const verbs = async (projectId: string) =>
  (await listAudit(db(), { projectId, limit: 100 }))
    .filter(({ verb }) => verb.startsWith('payee.'))
    .map(({ verb, actorId, subjectId, detail }) => ({ verb, actorId, subjectId, detail }));

const stored = async (projectId: string) =>
  (await db().select().from(tables.payees).where(eq(tables.payees.projectId, projectId))).map(
    ({ sealed }) => sealed,
  );

describe('payee details', () => {
  it('are entered by the worker, shown shortened to the curator, and opened one by one', async () => {
    const { wanda, curator, projectId } = await askingShop();
    expect(await ownPayees(db(), wanda.userId)).toMatchObject([
      { isAsked: true, methods: ['bank', 'paypal'], schedule: 'monthly', state: 'missing', details: null },
    ]);
    const due = [{ currency: 'USD', amountMicro: 400_000n }];
    expect(await listPayees(db(), curator, projectId)).toMatchObject({
      total: 1,
      missing: 1,
      payees: [{ workerId: wanda.userId, state: 'missing', masked: null, due }],
    });
    await savePayee(db(), wanda, { projectId, details: bank });
    expect(await ownPayees(db(), wanda.userId)).toMatchObject([{ state: 'stored', details: bank }]);
    expect(await listPayees(db(), curator, projectId)).toMatchObject({
      total: 1,
      missing: 0,
      payees: [{ state: 'stored', method: 'bank', masked: '•••• 3000', due }],
    });
    expect(await readPayee(db(), curator, { projectId, workerId: wanda.userId })).toEqual(bank);
    await savePayee(db(), wanda, { projectId, details: paypal });
    expect(await readPayee(db(), curator, { projectId, workerId: wanda.userId })).toEqual(paypal);
    expect(await stored(projectId)).toHaveLength(1);
  });

  it('go into the file of a payout list, for those who are on it', async () => {
    const { wanda, curator, projectId } = await askingShop();
    await savePayee(db(), wanda, { projectId, details: bank });
    const { payoutIds } = await approvePayout(db(), curator, { projectId, note: '' });
    const payoutId = payoutIds[0] as string;
    const one = { projectId, payoutId, workerIds: [wanda.userId] };
    expect(await exportPayees(db(), curator, one)).toEqual(new Map([[wanda.userId, bank]]));
    expect(await exportPayees(db(), curator, { ...one, workerIds: [] })).toEqual(new Map());
    expect((await verbs(projectId)).map(({ verb }) => verb)).toEqual(['payee.export', 'payee.save']);
  });

  it('leave no trace in the tables, the activity log and other people’s data', async () => {
    const { wanda, curator, projectId } = await askingShop();
    await savePayee(db(), wanda, { projectId, details: bank });
    await readPayee(db(), curator, { projectId, workerId: wanda.userId });
    await deletePayee(db(), wanda, { projectId });
    await savePayee(db(), wanda, { projectId, details: paypal });
    const { rows } = await db().execute<{ name: string }>(
      sql`select tablename as name from pg_tables where schemaname = 'public'`,
    );
    for (const { name } of rows) {
      const found = await db().execute<{ text: string }>(
        sql`select coalesce(string_agg(t::text, ' '), '') as text from ${sql.identifier(name)} t`,
      );
      for (const trace of traces) expect(found.rows[0]?.text, `${name}: ${trace}`).not.toContain(trace);
    }
    expect(await verbs(projectId)).toEqual(
      ['payee.save', 'payee.delete', 'payee.read', 'payee.save'].map((verb) => ({
        verb,
        actorId: verb === 'payee.read' ? curator.userId : wanda.userId,
        subjectId: wanda.userId,
        detail: {},
      })),
    );
    // Those who may not know who works here do not read that somebody entered details.
    const forResearchers = await listAudit(db(), { projectId, limit: 100, withoutPeople: true });
    expect(forResearchers.filter(({ verb }) => verb.startsWith('payee.'))).toEqual([]);
    expect(JSON.stringify(await myData(db(), wanda))).toContain('wanda@example.org');
    expect(JSON.stringify(await myData(db(), curator))).not.toContain('wanda@example.org');
  });

  it('are deleted by the worker, also after they were removed from the project', async () => {
    const { wanda, curator, projectId } = await askingShop();
    await savePayee(db(), wanda, { projectId, details: bank });
    await removeMember(db(), tests, { projectId, userId: wanda.userId, role: 'worker' });
    // What is owed to somebody who left is still paid.
    expect(await readPayee(db(), curator, { projectId, workerId: wanda.userId })).toEqual(bank);
    expect(await ownPayees(db(), wanda.userId)).toMatchObject([{ isAsked: false, state: 'stored' }]);
    await expect(savePayee(db(), wanda, { projectId, details: paypal })).rejects.toMatchObject({
      kind: 'not-found',
    });
    expect((await checkRules(db())).find(({ name }) => name === 'payee details have a worker')).toMatchObject(
      {
        violations: 0,
      },
    );
    await deletePayee(db(), wanda, { projectId });
    await deletePayee(db(), wanda, { projectId });
    expect(await ownPayees(db(), wanda.userId)).toEqual([]);
    await expect(readPayee(db(), curator, { projectId, workerId: wanda.userId })).rejects.toThrow();
    expect((await verbs(projectId)).filter(({ verb }) => verb === 'payee.delete')).toHaveLength(1);
  });

  it('are erased with the account', async () => {
    const shop = await workshop(db(), { payees: settings });
    const wanda = await worker(db(), shop, 'Wren');
    await savePayee(db(), wanda, { projectId: shop.projectId, details: bank });
    await db().transaction(async (tx) => {
      await tx.execute(sql`set local tessera.erase = 'on'`);
      await tx.delete(tables.consents).where(eq(tables.consents.workerId, wanda.userId));
      await tx.delete(tables.users).where(eq(tables.users.id, wanda.userId));
    });
    expect(await stored(shop.projectId)).toEqual([]);
  });
});

describe('who is asked', () => {
  it('nobody, until the curator says so, and nobody in a way that is not offered', async () => {
    const { wanda, curator, projectId } = await askingShop({});
    const save = (details: PayeeDetails) => savePayee(db(), wanda, { projectId, details });
    await expect(save(bank)).rejects.toMatchObject({ detail: { code: 'payeeNotAsked' } });
    expect(await ownPayees(db(), wanda.userId)).toEqual([]);
    expect(await listPayees(db(), curator, projectId)).toBeNull();
    const policy = { ...effectivePolicy({}, {}), payees: { ...settings, paypal: false } };
    await changePolicy(db(), curator, { projectId, policy });
    await expect(save(paypal)).rejects.toMatchObject({ detail: { code: 'payeeMethod' } });
    await save(bank);
  });

  it('not those whom a marketplace sent and pays', async () => {
    const { wanda, curator, projectId } = await askingShop();
    await savePayee(db(), wanda, { projectId, details: bank });
    await arrive(wanda.userId, projectId);
    await expect(savePayee(db(), wanda, { projectId, details: bank })).rejects.toMatchObject({
      detail: { code: 'payeeNotAsked' },
    });
    expect(await ownPayees(db(), wanda.userId)).toMatchObject([{ isAsked: false, state: 'stored' }]);
    expect(await listPayees(db(), curator, projectId)).toMatchObject({ total: 0 });
    const workerIds = [wanda.userId];
    expect(await exportPayees(db(), curator, { projectId, payoutId: projectId, workerIds })).toEqual(
      new Map(),
    );
  });

  it('sees it again after the curator stopped asking, only to delete it', async () => {
    const { wanda, curator, projectId } = await askingShop();
    await savePayee(db(), wanda, { projectId, details: bank });
    const policy = { ...effectivePolicy({}, {}), payees: { ...settings, isOn: false } };
    await changePolicy(db(), curator, { projectId, policy });
    expect(await listPayees(db(), curator, projectId)).toBeNull();
    await expect(readPayee(db(), curator, { projectId, workerId: wanda.userId })).rejects.toMatchObject({
      kind: 'not-found',
    });
    expect(await ownPayees(db(), wanda.userId)).toMatchObject([{ isAsked: false, state: 'stored' }]);
  });

  it('a policy that asks without a way or a time to pay is refused', async () => {
    const { curator, projectId } = await askingShop();
    const change = (payees: Record<string, unknown>) =>
      changePolicy(db(), curator, {
        projectId,
        policy: { ...rival10Policy, payees: { ...settings, ...payees } },
      });
    await expect(change({ bank: false, paypal: false })).rejects.toThrow('at least one way');
    await expect(change({ schedule: 'as-described' })).rejects.toThrow('when you pay');
    await expect(change({ schedule: 'never' })).rejects.toThrow();
  });
});

describe('who sees them', () => {
  it('curators of the project and admins; no worker, researcher, key, or curator of another project', async () => {
    const { shop, wanda, curator, projectId } = await askingShop();
    await savePayee(db(), wanda, { projectId, details: bank });
    const will = await worker(db(), shop, 'Will');
    const researcher = await person(db(), 'Rita');
    await join(db(), researcher, projectId, 'researcher');
    const stranger = await person(db(), 'Otto');
    await join(db(), stranger, (await workshop(db(), { payees: settings })).projectId, 'curator');
    const byKey: UserActor = {
      ...curator,
      via: 'key',
      scopes: new Set(['read', 'labels:write', 'projects:write']),
    };
    const all = (actor: UserActor) => [
      listPayees(db(), actor, projectId),
      readPayee(db(), actor, { projectId, workerId: wanda.userId }),
      exportPayees(db(), actor, { projectId, payoutId: projectId, workerIds: [wanda.userId] }),
    ];
    for (const actor of [wanda, will, researcher, stranger, byKey])
      for (const refused of await Promise.allSettled(all(actor)))
        expect(refused, actor.name).toMatchObject({ status: 'rejected', reason: { kind: 'not-found' } });
    for (const actor of [curator, await person(db(), 'Ada', true)])
      for (const allowed of await Promise.allSettled(all(actor)))
        expect(allowed, actor.name).toMatchObject({ status: 'fulfilled' });
  });

  it('a worker’s key enters nothing, and nobody deletes what is another’s', async () => {
    const { shop, wanda, projectId } = await askingShop();
    await keyOf(db(), wanda, 'read', 'labels:write');
    const byKey: UserActor = { ...wanda, via: 'key', scopes: new Set(['read', 'labels:write']) };
    await expect(savePayee(db(), byKey, { projectId, details: bank })).rejects.toMatchObject({
      kind: 'not-found',
    });
    await savePayee(db(), wanda, { projectId, details: bank });
    await expect(deletePayee(db(), byKey, { projectId })).rejects.toMatchObject({ kind: 'not-found' });
    await deletePayee(db(), await worker(db(), shop, 'Will'), { projectId });
    expect(await stored(projectId)).toHaveLength(1);
  });
});

describe('the seal', () => {
  const place = { projectId: 'p', workerId: 'w' };
  const secret = 'a secret of an instance, long enough';

  it('opens with the same secret in the same place only', () => {
    const sealed = sealPayee(place, bank, secret);
    expect(openPayee(place, sealed, secret)).toEqual(bank);
    expect(openPayee(place, sealed, `${secret}!`)).toBeNull();
    expect(openPayee({ ...place, workerId: 'v' }, sealed, secret)).toBeNull();
    expect(openPayee({ ...place, projectId: 'q' }, sealed, secret)).toBeNull();
  });

  it('differs each time and does not open once a bit has changed', () => {
    const sealed = sealPayee(place, bank, secret);
    expect(sealPayee(place, bank, secret)).not.toBe(sealed);
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] as number) ^ 1;
      expect(openPayee(place, `v1.${damaged.toString('base64url')}`, secret)).toBeNull();
    }
    for (const wrong of ['', 'v1.', 'v1.AAAA', sealed.slice(3), `v2.${sealed.slice(3)}`])
      expect(openPayee(place, wrong, secret)).toBeNull();
  });

  it('of another secret asks the worker again instead of failing', async () => {
    const { wanda, curator, projectId } = await askingShop();
    await savePayee(db(), wanda, { projectId, details: bank });
    const foreign = sealPayee({ projectId, workerId: wanda.userId }, bank, secret);
    await db().update(tables.payees).set({ sealed: foreign }).where(eq(tables.payees.projectId, projectId));
    expect(await ownPayees(db(), wanda.userId)).toMatchObject([{ isAsked: true, state: 'unreadable' }]);
    expect(await listPayees(db(), curator, projectId)).toMatchObject({
      missing: 1,
      payees: [{ state: 'unreadable', masked: null }],
    });
    await savePayee(db(), wanda, { projectId, details: paypal });
    expect(await ownPayees(db(), wanda.userId)).toMatchObject([{ state: 'stored', details: paypal }]);
  });

  it('is required by the table: details in clear cannot be stored', async () => {
    const { wanda, projectId } = await askingShop();
    const clear = db()
      .insert(tables.payees)
      .values({ projectId, workerId: wanda.userId, sealed: JSON.stringify(bank) });
    await expect(clear).rejects.toMatchObject({ cause: { constraint: 'payees_sealed' } });
  });
});

describe('at the same moment', () => {
  it('two tabs save: one row, whole', async () => {
    const { wanda, projectId } = await askingShop();
    for (let round = 0; round < 10; round++) {
      await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          savePayee(crowd, wanda, { projectId, details: n % 2 ? bank : paypal }),
        ),
      );
      const [own] = await ownPayees(db(), wanda.userId);
      expect([bank, paypal]).toContainEqual(own?.details);
      expect(await stored(projectId)).toHaveLength(1);
    }
  });

  it('a save and a deletion: stored as a whole or gone', async () => {
    const { wanda, projectId } = await askingShop();
    for (let round = 0; round < 10; round++) {
      await Promise.all([
        savePayee(crowd, wanda, { projectId, details: bank }),
        deletePayee(crowd, wanda, { projectId }),
      ]);
      expect([0, 1]).toContain((await stored(projectId)).length);
    }
  });

  it('the curator stops asking while a worker saves: nothing is stored after that', async () => {
    const { wanda, projectId } = await askingShop();
    let saving: Promise<unknown> = Promise.resolve();
    await crowd.transaction(async (tx) => {
      await tx
        .update(tables.projects)
        .set({ policy: sql`policy || '{"payees":{"isOn":false}}'` })
        .where(eq(tables.projects.id, projectId));
      saving = savePayee(crowd, wanda, { projectId, details: bank }).catch((error) => error);
      await somebodyWaits(db());
    });
    expect(await saving).toMatchObject({ detail: { code: 'payeeNotAsked' } });
    expect(await stored(projectId)).toEqual([]);
  });
});
