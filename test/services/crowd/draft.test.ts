import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { tables } from '@/db';
import type { UserActor } from '@/lib/services/access';
import { saveDraft } from '@/lib/services/crowd/work';
import { useDatabase } from '../../support/database';
import { answer, ask, take, type Workshop, worker, workshop } from './workshop';

const db = useDatabase();
let shop: Workshop;
let wanda: UserActor;

beforeAll(async () => {
  shop = await workshop(db(), { batchSize: { attributes: 4, masks: 1 } });
});

async function freshLease(): Promise<string> {
  wanda = await worker(db(), shop);
  await ask(db(), shop, 'object-mask', 1);
  return (await take(db(), wanda, shop.stages['object-mask'])).items[0]?.leaseId as string;
}

const draftOf = async (leaseId: string) =>
  (await db().select().from(tables.drafts).where(eq(tables.drafts.leaseId, leaseId)))[0];

describe('a draft', () => {
  it('counts its revisions', async () => {
    const leaseId = await freshLease();
    const save = (revision: number) =>
      saveDraft(db(), wanda, { leaseId, revision, document: { at: revision } });
    expect(await save(0)).toEqual({ revision: 1 });
    expect(await save(1)).toEqual({ revision: 2 });
    expect(await draftOf(leaseId)).toMatchObject({ revision: 2, document: { at: 1 } });
  });

  it('that was changed in another tab is not overwritten: the conflict carries what is there', async () => {
    const leaseId = await freshLease();
    const save = (revision: number, by: string) =>
      saveDraft(db(), wanda, { leaseId, revision, document: { by } });
    await save(0, 'one');
    await save(1, 'two');
    for (const stale of [0, 1, 7]) {
      await expect(save(stale, 'three')).rejects.toMatchObject({
        kind: 'conflict',
        detail: { revision: 2, document: { by: 'two' } },
      });
    }
    expect((await draftOf(leaseId))?.document).toEqual({ by: 'two' });
  });

  it('takes one of several writes that build on the same revision', async () => {
    const leaseId = await freshLease();
    for (let revision = 0; revision < 10; revision++) {
      const writes = Array.from({ length: 6 }, (_, n) =>
        saveDraft(db(), wanda, { leaseId, revision, document: { n } }),
      );
      const settled = await Promise.allSettled(writes);
      expect(settled.filter((write) => write.status === 'fulfilled')).toHaveLength(1);
    }
    expect((await draftOf(leaseId))?.revision).toBe(10);
  });

  it('that the server does not have cannot be continued', async () => {
    const leaseId = await freshLease();
    await expect(saveDraft(db(), wanda, { leaseId, revision: 4, document: {} })).rejects.toMatchObject({
      kind: 'conflict',
      detail: { revision: 0, document: null },
    });
  });

  it('is gone with the answer, and a straggler does not bring it back', async () => {
    for (let race = 0; race < 20; race++) {
      const leaseId = await freshLease();
      await saveDraft(db(), wanda, { leaseId, revision: 0, document: {} });
      await Promise.all([
        answer(db(), wanda, leaseId),
        saveDraft(db(), wanda, { leaseId, revision: 1, document: {} }).catch((error) => {
          expect(error.message).toContain('answered already');
        }),
      ]);
      expect(await draftOf(leaseId)).toBeUndefined();
    }
  });

  it('of another worker does not exist', async () => {
    const leaseId = await freshLease();
    const will = await worker(db(), shop, 'Will');
    await expect(saveDraft(db(), will, { leaseId, revision: 0, document: {} })).rejects.toMatchObject({
      kind: 'not-found',
    });
  });
});
