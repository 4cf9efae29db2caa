import { asc, eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { problemFrom } from '@/app/api/_http/problem';
import { isCollision, type Transaction, tables } from '@/db';
import { ask, worker, workshop } from '../services/crowd/workshop';
import { useDatabase } from '../support/database';

const db = useDatabase();

it('two who wait for each other: one goes on, the other is told to try again and not of a fault', async () => {
  const shop = await workshop(db());
  await worker(db(), shop);
  await ask(db(), shop, 'object-mask', 2);
  const [a, b] = await db().select().from(tables.items).orderBy(asc(tables.items.id)).limit(2);
  const hold = (tx: Transaction, item: typeof a) =>
    tx
      .select()
      .from(tables.items)
      .where(eq(tables.items.id, item?.id as string))
      .for('update');
  let arrived = 0;
  let go = () => {};
  const both = new Promise<void>((resolve) => {
    go = resolve;
  });
  const inOrder = (first: typeof a, second: typeof a) =>
    db().transaction(async (tx) => {
      await hold(tx, first);
      arrived += 1;
      if (arrived === 2) go();
      await both;
      await hold(tx, second);
    });
  const ended = await Promise.allSettled([inOrder(a, b), inOrder(b, a)]);
  const refused = ended.filter((each) => each.status === 'rejected');
  expect(refused).toHaveLength(1);
  expect(isCollision(refused[0]?.reason)).toBe(true);
  const reply = problemFrom(refused[0]?.reason, 'r1');
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await reply.json()).toMatchObject({ detail: expect.stringContaining('nothing was saved') });
});
