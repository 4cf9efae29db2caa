import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { tables } from '@/db';
import { type DatasetSchema, editSchema } from '@/lib/core/schema';
import type { UserActor } from '@/lib/services/access';
import { decideAboutGold } from '@/lib/services/crowd/gold';
import { authorGold } from '@/lib/services/curation/gold';
import { getVersion, saveSchema } from '@/lib/services/projects/schema';
import { useDatabase } from '../../../support/database';
import { useHome } from '../../../support/home';
import { join, person } from '../../access/people';
import {
  addImage,
  doBatch,
  elsewhere,
  itemsOf,
  marked,
  square,
  type Workshop,
  worker,
  workshop,
} from '../../crowd/workshop';

const db = useDatabase();
useHome();
const { gold, items, labels } = tables;

async function opened(policy: Record<string, unknown> = {}) {
  const shop = await workshop(db(), policy);
  const cora = await person(db(), 'Cora');
  await join(db(), cora, shop.projectId, 'curator');
  const place = { projectId: shop.projectId, imageId: await addImage(db(), shop.projectId) };
  const part = { ...place, stageId: shop.stages['part-mask'], target: 'tail' };
  const form = { ...place, stageId: shop.stages.attributes, target: '' };
  const become = (goldId: string, state: 'active' | 'excluded' | 'retired') =>
    decideAboutGold(db(), cora, { goldId, state, reason: 'Looked at again.' });
  return { shop, cora, part, form, become };
}

async function change(actor: UserActor, shop: Workshop, edit: (schema: DatasetSchema) => DatasetSchema) {
  const { number, document } = await getVersion(db(), shop.projectId);
  const { projectId } = shop;
  await saveSchema(db(), actor, { projectId, from: number, document: edit(document), askAgain: false });
  return (await getVersion(db(), projectId)).id;
}

const current = (projectId: string) =>
  db()
    .select()
    .from(labels)
    .where(and(eq(labels.projectId, projectId), eq(labels.isCurrent, true)));

const goldOf = async (goldId: string) => {
  const [row] = await db()
    .select({ gold, versionId: items.schemaVersionId })
    .from(gold)
    .innerJoin(items, eq(items.id, gold.itemId))
    .where(eq(gold.id, goldId));
  return row as NonNullable<typeof row>;
};

const lorry = (schema: DatasetSchema) =>
  editSchema(schema, { do: 'set', list: 'classes', index: 0, fields: { name: 'Lorry' } });
const withoutHairy = (schema: DatasetSchema) =>
  editSchema(schema, {
    do: 'remove',
    list: 'attributes',
    index: schema.attributes.findIndex(({ id }) => id === 'hairy'),
  });

describe('gold that is excluded', () => {
  it('takes the label that was made from it with it, and people are asked; restored, it is the label again', async () => {
    const { shop, cora, part, become } = await opened();
    const { goldId } = await authorGold(db(), cora, { ...part, value: square, use: true });
    const [label] = await current(shop.projectId);
    await become(goldId, 'retired');
    expect(await current(shop.projectId)).toHaveLength(1);
    await become(goldId, 'excluded');
    expect(await current(shop.projectId)).toEqual([]);
    expect(await itemsOf(db(), part.stageId)).toMatchObject([{ state: 'open', answered: 0, overlap: 1 }]);
    await become(goldId, 'active');
    expect((await current(shop.projectId)).map(({ id }) => id)).toEqual([label?.id]);
    expect(await itemsOf(db(), part.stageId)).toMatchObject([{ state: 'settled' }]);
  });

  it('leaves alone what people made of the question, before and after', async () => {
    const { shop, cora, part, become } = await opened();
    const { goldId } = await authorGold(db(), cora, { ...part, value: square, use: true });
    await become(goldId, 'excluded');
    await doBatch(db(), await worker(db(), shop), part.stageId, () => elsewhere);
    await become(goldId, 'active');
    expect(await current(shop.projectId)).toMatchObject([{ value: elsewhere, source: 'answer' }]);
    await become(goldId, 'excluded');
    expect(await current(shop.projectId)).toMatchObject([{ value: elsewhere, source: 'answer' }]);
    expect(await itemsOf(db(), part.stageId)).toMatchObject([{ state: 'settled', answered: 1 }]);
  });

  it('of a form, and what was asked because of it waits', async () => {
    const { shop, cora, form, become } = await opened();
    const value = marked(shop, 'tail', 'white');
    const { goldId } = await authorGold(db(), cora, { ...form, value, use: true });
    const parts = async () =>
      (await itemsOf(db(), shop.stages['part-mask'])).map(({ target, state }) => [target, state]);
    expect(await parts()).toEqual([['tail', 'open']]);
    await become(goldId, 'excluded');
    expect(await parts()).toEqual([['tail', 'withdrawn']]);
    await become(goldId, 'active');
    expect(await parts()).toEqual([['tail', 'open']]);
  });
});

describe('gold that was excluded and is restored after the schema has changed', () => {
  it('is asked in the words of the new version and says the same in them', async () => {
    const { shop, cora, form, become } = await opened();
    const value = marked(shop, 'tail', 'hairy', 'white');
    const { goldId } = await authorGold(db(), cora, { ...form, value, use: true });
    await become(goldId, 'excluded');
    await change(cora, shop, lorry);
    const versionId = await change(cora, shop, withoutHairy);
    await become(goldId, 'active');
    const restored = await goldOf(goldId);
    expect(restored).toMatchObject({ versionId, gold: { state: 'active' } });
    expect(JSON.stringify(restored.gold.value)).toContain('tail');
    expect(JSON.stringify(restored.gold.value)).not.toContain('hairy');
  });

  it('is not used before somebody has completed it, if the schema asks for more than it says', async () => {
    const { shop, cora, form, become } = await opened();
    const small = withoutHairy(shop.schema);
    await change(cora, shop, () => small);
    const value = marked({ ...shop, schema: small }, 'tail', 'white');
    const { goldId } = await authorGold(db(), cora, { ...form, value, use: true });
    await become(goldId, 'excluded');
    await change(cora, shop, () => shop.schema);
    await change(cora, shop, lorry);
    await expect(become(goldId, 'active')).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('asks for more'),
    });
    const completed = marked(shop, 'tail', 'hairy', 'white');
    expect(await authorGold(db(), cora, { ...form, value: completed, use: true })).toEqual({
      goldId,
      state: 'active',
    });
    await become(goldId, 'excluded');
    await become(goldId, 'active');
    expect((await goldOf(goldId)).gold).toMatchObject({ state: 'active', value: completed });
  });
});
