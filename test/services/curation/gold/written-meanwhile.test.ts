import { eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { newId, tables } from '@/db';
import type { UserActor } from '@/lib/services/access';
import { authorGold, importGold } from '@/lib/services/curation/gold';
import { getVersion, saveSchema } from '@/lib/services/projects/schema';
import { withWeather } from '../../../core/schema/with-weather';
import { useDatabase } from '../../../support/database';
import { somebodyWaits } from '../../../support/meanwhile';
import { join, person } from '../../access/people';
import { ask, itemsOf, marked, square, type Workshop, workshop } from '../../crowd/workshop';

const db = useDatabase();
const { gold, images, items } = tables;

async function curator(shop: Workshop): Promise<UserActor> {
  const actor = await person(db(), 'Cora');
  await join(db(), actor, shop.projectId, 'curator');
  return actor;
}

const holdItem = (id: string) => sql`select id from ${items} where id = ${id} for no key update`;
const holdGold = (id: string) => sql`select id from ${gold} where id = ${id} for no key update`;

/** Two pictures with a question each; the younger question is about the first of them by name. */
async function twoPictures() {
  const shop = await workshop(db());
  const cora = await curator(shop);
  const [low, high] = [newId(), newId()].sort() as [string, string];
  const names = new Map<string, string>();
  for (const [id, name] of [
    [high, `a-${high}`],
    [low, `b-${low}`],
  ] as const) {
    await ask(db(), shop, 'object-mask', 1, { id });
    const asked = (await itemsOf(db(), shop.stages['object-mask'])).find((item) => item.id === id);
    await db()
      .update(images)
      .set({ name })
      .where(eq(images.id, asked?.imageId as string));
    names.set(id, name);
  }
  const text = [high, low]
    .map((id) =>
      JSON.stringify({ image: names.get(id), target: 'object', segmentation: [[10, 10, 30, 10, 30, 30]] }),
    )
    .join('\n');
  const bring = () => importGold(db(), cora, { projectId: shop.projectId, text, use: true });
  return { shop, low, high, bring };
}

it('gold is imported while a batch with items of its pictures ends, and neither fails', async () => {
  const { low, high, bring } = await twoPictures();
  let bringing: ReturnType<typeof bring> | undefined;
  await db().transaction(async (tx) => {
    await tx.execute(holdItem(low));
    bringing = bring();
    await somebodyWaits(db());
    await tx.execute(holdItem(high));
  });
  expect(await bringing).toMatchObject({ imported: 2, refused: [] });
});

it('gold is imported anew while somebody is given it, and neither fails', async () => {
  const { shop, low, high, bring } = await twoPictures();
  const made = new Map([
    [low, newId()],
    [high, newId()],
  ]);
  for (const [itemId, id] of made)
    await db().insert(gold).values({ id, projectId: shop.projectId, itemId, value: square });
  let bringing: ReturnType<typeof bring> | undefined;
  await db().transaction(async (tx) => {
    await tx.execute(holdGold(made.get(low) as string));
    bringing = bring();
    await somebodyWaits(db());
    await tx.execute(holdGold(made.get(high) as string));
  });
  expect(await bringing).toMatchObject({ imported: 2, refused: [] });
});

it('gold that is written while the schema changes measures nobody by the old questions', async () => {
  const shop = await workshop(db());
  const cora = await curator(shop);
  const { projectId } = shop;
  const [drawn] = await ask(db(), shop, 'object-mask', 1, { state: 'settled' });
  const [item] = await itemsOf(db(), shop.stages['object-mask']);
  let writing: ReturnType<typeof authorGold> | undefined;
  let saving: ReturnType<typeof saveSchema> | undefined;
  const { number, document } = await getVersion(db(), projectId);
  await db().transaction(async (tx) => {
    await tx.execute(holdItem(drawn as string));
    writing = authorGold(db(), cora, {
      projectId,
      stageId: shop.stages.attributes,
      imageId: item?.imageId as string,
      target: '',
      value: marked(shop, 'tail', 'white'),
      use: true,
    });
    await somebodyWaits(db());
    saving = saveSchema(db(), cora, {
      projectId,
      from: number,
      document: withWeather(document),
      askAgain: false,
    });
    await Promise.race([saving, somebodyWaits(db(), 2)]);
  });
  await Promise.all([writing, saving]);
  const { id } = await getVersion(db(), projectId);
  expect(await itemsOf(db(), shop.stages.attributes)).toMatchObject([{ schemaVersionId: id }]);
  const [known] = await db().select().from(gold).where(eq(gold.projectId, projectId));
  expect(known?.state).toBe('candidate');
});

it('a schema is saved while a batch with open items ends, and neither fails', async () => {
  const { shop, low, high } = await twoPictures();
  const cora = await curator(shop);
  const { projectId } = shop;
  const { number, document } = await getVersion(db(), projectId);
  let saving: ReturnType<typeof saveSchema> | undefined;
  await db().transaction(async (tx) => {
    await tx.execute(holdItem(low));
    saving = saveSchema(db(), cora, {
      projectId,
      from: number,
      document: withWeather(document),
      askAgain: false,
    });
    await somebodyWaits(db());
    await tx.execute(holdItem(high));
  });
  expect(await saving).toMatchObject({ number: number + 1 });
});
