import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { tables } from '@/db';
import { editSchema } from '@/lib/core/schema';
import type { UserActor } from '@/lib/services/access';
import { authorGold, importGold } from '@/lib/services/curation/gold';
import { getVersion, saveSchema } from '@/lib/services/projects/schema';
import { useDatabase } from '../../../support/database';
import { useHome } from '../../../support/home';
import { join, person } from '../../access/people';
import {
  addImage,
  answer,
  ask,
  elsewhere,
  itemOf,
  marked,
  square,
  take,
  type Workshop,
  worker,
  workshop,
} from '../../crowd/workshop';

const db = useDatabase();
useHome();
const { images, items, labels } = tables;

async function curator(shop: Workshop): Promise<UserActor> {
  const actor = await person(db(), 'Cora');
  await join(db(), actor, shop.projectId, 'curator');
  return actor;
}

it('a line with U+0000 or a drawing beyond the limits of answers is refused, and stops no other line', async () => {
  const shop = await workshop(db());
  const cora = await curator(shop);
  const imageId = await addImage(db(), shop.projectId);
  await db().update(images).set({ name: 'fido.png' }).where(eq(images.id, imageId));
  const far = { image: 'fido.png', target: 'ears', segmentation: [[0, 0, 1e9, 0, 9, 9]] };
  const long = Array.from({ length: 200_002 }, (_, n) => (n % 4 < 2 ? 10 : 20));
  const lines = [
    { image: 'fido.png\0', nothing: true },
    far,
    { ...far, segmentation: [long] },
    { ...far, target: 'tail', segmentation: [[0, 0, 9, 0, 9, 9]] },
  ];
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  const report = await importGold(db(), cora, { projectId: shop.projectId, text, use: true });
  expect(report).toMatchObject({ lines: 4, imported: 1 });
  expect(report.refused.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('U+0000'),
    expect.stringContaining('cannot be stored'),
    expect.stringContaining('vertices'),
  ]);
});

it('gold that was wrong and is rewritten takes its wrong label with it', async () => {
  const shop = await workshop(db());
  const cora = await curator(shop);
  const imageId = await addImage(db(), shop.projectId);
  const place = { projectId: shop.projectId, stageId: shop.stages['part-mask'], imageId, target: 'tail' };
  const write = (value: typeof square) => authorGold(db(), cora, { ...place, value, use: true });
  const current = () =>
    db()
      .select()
      .from(labels)
      .where(and(eq(labels.projectId, shop.projectId), eq(labels.isCurrent, true)));
  await write(square);
  const [wrong] = await current();
  const { goldId } = await write(elsewhere);
  const now = await current();
  expect(now).toMatchObject([{ value: elsewhere, provenance: { method: 'gold', gold: goldId } }]);
  expect(now[0]?.id).not.toBe(wrong?.id);
  // Out of use and back in use, with nothing new to say, makes no new label.
  await write(elsewhere);
  expect((await current()).map(({ id }) => id)).toEqual([now[0]?.id]);
});

describe('a candidate is written for a question under another schema', () => {
  const oneMoreWord = async (cora: UserActor, shop: Workshop) => {
    const { number, document } = await getVersion(db(), shop.projectId);
    const edit = { do: 'set', list: 'classes', index: 0, fields: { name: 'Lorry' } } as const;
    const next = editSchema(document, edit);
    await saveSchema(db(), cora, {
      projectId: shop.projectId,
      from: number,
      document: next,
      askAgain: false,
    });
  };

  it('whoever holds or has answered the question keeps its words; gold in use takes the new ones', async () => {
    const shop = await workshop(db(), { overlap: 2 });
    const cora = await curator(shop);
    await ask(db(), shop, 'attributes', 1, { overlap: 2 });
    const wanda = await worker(db(), shop);
    const batch = await take(db(), wanda, shop.stages.attributes);
    const leaseId = batch.items[0]?.leaseId as string;
    await answer(db(), wanda, leaseId, marked(shop, 'tail', 'white'));
    await oneMoreWord(cora, shop);
    const item = await itemOf(db(), leaseId);
    expect(item).toMatchObject({ state: 'open', answered: 1, schemaVersionId: shop.schemaVersionId });
    const { imageId, stageId } = item;
    const place = { projectId: shop.projectId, stageId, imageId, target: '' };
    const write = (use: boolean) =>
      authorGold(db(), cora, { ...place, value: marked(shop, 'tail', 'white'), use });
    await write(false);
    expect((await itemOf(db(), leaseId)).schemaVersionId).toBe(shop.schemaVersionId);
    const held = (leased: number) => db().update(items).set({ leased }).where(eq(items.id, item.id));
    await held(1);
    await write(true);
    expect((await itemOf(db(), leaseId)).schemaVersionId).toBe(shop.schemaVersionId);
    await held(0);
    await write(true);
    const { id } = await getVersion(db(), shop.projectId);
    expect((await itemOf(db(), leaseId)).schemaVersionId).toBe(id);
  });
});
