import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Database, newId, tables } from '@/db';
import type { UserActor } from '@/lib/services/access';
import { getBatch, returnBatch, submitBatch, takeBatch } from '@/lib/services/crowd/work';
import { pickImages } from '@/lib/services/crowd/work/pick-images';
import { useDatabase } from '../../support/database';
import {
  addImage,
  answer,
  ask,
  itemsOf,
  marked,
  paidTo,
  runOut,
  settleLate,
  take,
  type Workshop,
  worker,
  workshop,
} from './workshop';

const db = useDatabase();
let crowd: Database;

beforeAll(() => {
  crowd = connect(process.env.DATABASE_URL as string, { max: 16 });
});

afterAll(() => crowd.$client.end());

/** The limits of a day are not what these stories are about. */
const limits = { returnsPerDay: null, emptyBatchesPerDay: null, lateAnswersPerDay: null };

const workers = (shop: Workshop, count: number): Promise<UserActor[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => worker(db(), shop, `W${n}`)));

describe('many workers at once', () => {
  it('race for the last item again and again, and one of them gets it', async () => {
    const shop = await workshop(db(), { limits });
    const all = await workers(shop, 8);
    const stageId = shop.stages['object-mask'];
    for (let race = 0; race < 60; race++) {
      const [itemId] = await ask(db(), shop, 'object-mask', 1);
      const got = await Promise.all(all.map((actor) => takeBatch(crowd, actor, { stageId })));
      const winner = got.findIndex((batch) => batch !== null);
      expect(got.filter((batch) => batch !== null)).toHaveLength(1);
      await returnBatch(crowd, all[winner] as UserActor, { batchId: got[winner]?.id as string });
      await db()
        .update(tables.items)
        .set({ state: 'withdrawn' })
        .where(eq(tables.items.id, itemId as string));
    }
  });

  it('race for an image with several parts, and one of them gets it whole', async () => {
    const shop = await workshop(db(), { limits, batchSize: { attributes: 4, masks: 2 } });
    const all = await workers(shop, 8);
    const stageId = shop.stages['part-mask'];
    for (let race = 0; race < 30; race++) {
      const imageId = await addImage(db(), shop.projectId);
      for (const target of ['tail', 'ears', 'mane', 'horns', 'wings'])
        await ask(db(), shop, 'part-mask', 1, { imageId, target });
      const got = await Promise.all(all.map((actor) => takeBatch(crowd, actor, { stageId })));
      const taken = got.flatMap((batch, n) => (batch ? [{ actor: all[n] as UserActor, id: batch.id }] : []));
      expect(taken).toHaveLength(1);
      for (const { actor, id } of taken) {
        expect((await getBatch(crowd, actor, { batchId: id })).items).toHaveLength(5);
        await returnBatch(crowd, actor, { batchId: id });
      }
      await db().update(tables.items).set({ state: 'withdrawn' }).where(eq(tables.items.imageId, imageId));
    }
  });

  it('race for the last item thousands of times in the query that hands out, and never both get it', async () => {
    const shop = await workshop(db());
    const pair = (await workers(shop, 2)).map((actor) => actor.userId);
    const { projectId } = shop;
    const stageId = shop.stages['part-mask'];
    const imageIds: string[] = [];
    for (let n = 0; n < 20; n++) imageIds.push(await addImage(db(), projectId));
    const races = 2000;
    await db().execute(sql`
      insert into items (id, project_id, stage_id, image_id, schema_version_id, target, state)
      select gen_random_uuid(), ${projectId}, ${stageId},
        (${sql.param(imageIds)}::uuid[])[n % 20 + 1], ${shop.schemaVersionId}, n::text, 'withdrawn'
      from generate_series(1, ${races}) n`);
    let handed = 0;
    for (let race = 1; race <= races; race++) {
      await db().execute(sql`
        with over as (update batches set state = 'returned' where stage_id = ${stageId} and state = 'leased')
        update items set state = case when target = ${String(race)} then 'open' else 'withdrawn' end
        where stage_id = ${stageId} and target in (${String(race)}, ${String(race - 1)})`);
      const got = await Promise.all(
        pair.map((workerId) =>
          crowd.transaction(async (tx) => {
            const { images } = await pickImages(tx, { stageId, workerId, size: 1 });
            const ids = images.flatMap(({ open }) => open.map(({ itemId }) => itemId));
            await tx.execute(
              sql`update items set leased = leased + 1 where id = any (${sql.param(ids)}::uuid[])`,
            );
            return ids;
          }),
        ),
      );
      handed += got.flat().length;
    }
    const items = await itemsOf(db(), stageId);
    expect(handed).toBe(races);
    expect(items.every((item) => item.leased === 1)).toBe(true);
  }, 300_000);

  it('never hold an item more often than it wants answers, nor twice, while batches end in every way', async () => {
    const shop = await workshop(db(), { batchSize: { attributes: 4, masks: 3 }, overlap: 2, limits });
    const all = await workers(shop, 10);
    const stageId = shop.stages['object-mask'];
    await ask(db(), shop, 'object-mask', 60, { overlap: 2 });
    await Promise.all(all.map((actor, n) => liveThrough(actor, stageId, n)));
    await settleLate(db());
    const finished = await itemsOf(db(), stageId);
    for (const item of finished) {
      expect(item.answered).toBeLessThanOrEqual(2);
      const counted = await db().execute<{ open: number; answered: number; people: number }>(sql`
        select count(*) filter (where l.state = 'open')::int as open,
          count(*) filter (where a.id is not null and d.id is null)::int as answered,
          count(distinct a.worker_id)::int as people
        from leases l left join answers a on a.lease_id = l.id
          left join decisions d on d.subject_id = a.id where l.item_id = ${item.id}`);
      const [row] = counted.rows;
      expect({ leased: row?.open, answered: row?.answered }).toEqual({
        leased: item.leased,
        answered: item.answered,
      });
    }
    // Every answer was paid exactly once: three masks in a batch, or one that came late.
    const money = await db().execute<{ owed: string; paid: string }>(sql`
      select (select count(*) * 100000 from answers a join items i on i.id = a.item_id
          where i.stage_id = ${stageId})::text as owed,
        (select sum(amount_micro) from ledger where project_id = ${shop.projectId})::text as paid`);
    expect(money.rows[0]?.paid).toBe(money.rows[0]?.owed);
  });

  /** Takes, answers some, then submits, returns, or leaves and answers late; until there is no more work. */
  async function liveThrough(actor: UserActor, stageId: string, seed: number): Promise<void> {
    for (let turn = 0; turn < 20; turn++) {
      const taken = await takeBatch(crowd, actor, { stageId });
      if (!taken) return;
      const { items } = await getBatch(crowd, actor, { batchId: taken.id });
      const mood = (seed * 7 + turn * 3) % 5;
      const open = items.filter((item) => item.state === 'open').map((item) => item.leaseId);
      const now = mood === 0 ? open : open.slice(1);
      const later = open.filter((leaseId) => !now.includes(leaseId));
      for (const leaseId of now) await answer(crowd, actor, leaseId);
      if (mood === 1) await returnBatch(crowd, actor, { batchId: taken.id });
      else if (mood < 4) await submitBatch(crowd, actor, { batchId: taken.id });
      else {
        await runOut(crowd, taken.id);
        for (const leaseId of later) await answer(crowd, actor, leaseId);
        await submitBatch(crowd, actor, { batchId: taken.id });
      }
    }
  }

  it('get what others left to run out, each piece once', async () => {
    const shop = await workshop(db(), { batchSize: { attributes: 4, masks: 5 }, overlap: 2, limits });
    const [leavers, takers] = [await workers(shop, 4), await workers(shop, 6)];
    const stageId = shop.stages['object-mask'];
    await ask(db(), shop, 'object-mask', 10, { overlap: 2 });
    for (let round = 0; round < 15; round++) {
      const left = await Promise.all(leavers.map((actor) => takeBatch(crowd, actor, { stageId })));
      for (const batch of left) if (batch) await runOut(db(), batch.id);
      const got = await Promise.all(takers.map((actor) => takeBatch(crowd, actor, { stageId })));
      const items = await itemsOf(db(), stageId);
      expect(items.every((item) => item.leased >= 0 && item.leased + item.answered <= 2)).toBe(true);
      await Promise.all(
        got.map((batch, n) => batch && submitBatch(crowd, takers[n] as UserActor, { batchId: batch.id })),
      );
    }
  });
});

describe('one worker in many tabs', () => {
  it('gets the same batch in all of them', async () => {
    const shop = await workshop(db());
    await ask(db(), shop, 'object-mask', 30);
    for (let race = 0; race < 20; race++) {
      const actor = await worker(db(), shop, `Tabs${race}`);
      const stageId = shop.stages['object-mask'];
      const got = await Promise.all(Array.from({ length: 6 }, () => takeBatch(crowd, actor, { stageId })));
      expect(new Set(got.map((batch) => batch?.id)).size).toBe(1);
      await returnBatch(crowd, actor, { batchId: got[0]?.id as string });
    }
  });

  it('answers an item once, and is paid once, however often it is sent', async () => {
    const shop = await workshop(db());
    const actor = await worker(db(), shop);
    for (let race = 0; race < 20; race++) {
      await ask(db(), shop, 'object-mask', 1);
      const batch = await take(db(), actor, shop.stages['object-mask']);
      const leaseId = batch.items[0]?.leaseId as string;
      const answerId = newId();
      const sends = Array.from({ length: 5 }, () => answer(crowd, actor, leaseId, undefined, answerId));
      const stored = await Promise.all(sends);
      expect(new Set(stored.map((one) => one.storedAt.getTime())).size).toBe(1);
      await expect(answer(crowd, actor, leaseId)).rejects.toThrow('answered already');
      await Promise.all(Array.from({ length: 5 }, () => submitBatch(crowd, actor, { batchId: batch.id })));
      expect(await paidTo(db(), actor)).toHaveLength(race + 1);
    }
  });
});

describe('a crash', () => {
  it('between submit and pay leaves the batch open, and the next try pays once', async () => {
    const shop = await workshop(db());
    const actor = await worker(db(), shop);
    await ask(db(), shop, 'attributes', 2);
    const batch = await take(db(), actor, shop.stages.attributes);
    for (const { leaseId } of batch.items) await answer(db(), actor, leaseId, marked(shop));
    await db().execute(sql`alter table ledger add constraint down check (amount_micro < 0) not valid`);
    await expect(submitBatch(db(), actor, { batchId: batch.id })).rejects.toThrow();
    expect(await getBatch(db(), actor, { batchId: batch.id })).toMatchObject({ state: 'leased' });
    await db().execute(sql`alter table ledger drop constraint down`);
    expect(await submitBatch(db(), actor, { batchId: batch.id })).toMatchObject({
      state: 'submitted',
      pay: { amountMicro: 750_000n },
    });
    expect(await paidTo(db(), actor)).toHaveLength(1);
  });
});
