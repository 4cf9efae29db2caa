import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { tables } from '@/db';
import { prereleaseFolder } from '@/db/migrate';
import { takeBatch } from '@/lib/services/crowd/work';
import { useDatabase } from '../../support/database';
import { answer, ask, itemsOf, take, worker, workshop } from './workshop';

const db = useDatabase();

it('frees items that an older version counted as leased by nobody, and leaves those in hand', async () => {
  const shop = await workshop(db());
  const [wanda, will] = [await worker(db(), shop), await worker(db(), shop, 'Will')];
  const stageId = shop.stages['object-mask'];
  await ask(db(), shop, 'object-mask', 2);
  const { items } = await take(db(), wanda, stageId);
  await answer(db(), wanda, items[0]?.leaseId as string);
  const [stuck] = await ask(db(), shop, 'object-mask', 1);
  await db()
    .update(tables.items)
    .set({ leased: 1 })
    .where(eq(tables.items.id, stuck as string));
  expect(await takeBatch(db(), will, { stageId })).toBeNull();

  const migration = await readFile(path.join(prereleaseFolder, '0017_places_of_items.sql'), 'utf8');
  await db().transaction(async (tx) => {
    for (const statement of migration.split('--> statement-breakpoint')) await tx.execute(statement);
  });

  expect((await itemsOf(db(), stageId)).map(({ id, leased }) => [id === stuck, leased])).toEqual(
    expect.arrayContaining([
      [true, 0],
      [false, 1],
    ]),
  );
  expect((await take(db(), will, stageId)).items).toHaveLength(1);
});
