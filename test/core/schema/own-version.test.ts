import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { tables } from '@/db';
import { type DatasetSchema, editSchema } from '@/lib/core/schema';
import type { UserActor } from '@/lib/services/access';
import { getVersion, saveSchema, schemaEffects } from '@/lib/services/projects/schema';
import { join, person } from '../../services/access/people';
import {
  ask,
  doBatch,
  itemsOf,
  marked,
  square,
  type Workshop,
  worker,
  workshop,
} from '../../services/crowd/workshop';
import { useDatabase } from '../../support/database';

const db = useDatabase();

async function opened(policy: Record<string, unknown> = {}) {
  const shop = await workshop(db(), policy);
  const cora = await person(db(), 'Cora');
  await join(db(), cora, shop.projectId, 'curator');
  return { shop, cora, wanda: await worker(db(), shop) };
}

async function save(
  actor: UserActor,
  shop: Workshop,
  change: (schema: DatasetSchema) => DatasetSchema,
  askAgain = false,
) {
  const { number, document } = await getVersion(db(), shop.projectId);
  const next = change(document);
  const foreseen = await schemaEffects(db(), shop.projectId, document, next);
  await saveSchema(db(), actor, { projectId: shop.projectId, from: number, document: next, askAgain });
  return foreseen;
}

const fluffy = (schema: DatasetSchema): DatasetSchema => {
  const at = schema.attributes.length;
  const fields = { definition: 'Soft to the eye.', kind: 'label-only' as const };
  const added = editSchema(schema, { do: 'add', list: 'attributes', group: 'texture' });
  const named = editSchema(added, { do: 'rename', list: 'attributes', index: at, name: 'Fluffy' });
  return editSchema(named, { do: 'set', list: 'attributes', index: at, fields });
};
const renamed = (schema: DatasetSchema) =>
  editSchema(schema, { do: 'set', list: 'classes', index: 0, fields: { name: 'Lorry' } });
const kindOf = (id: string, kind: 'label-only' | 'localised') => (schema: DatasetSchema) =>
  editSchema(schema, {
    do: 'set',
    list: 'attributes',
    index: schema.attributes.findIndex((each) => each.id === id),
    fields: { kind },
  });
const paw = { id: 'paw', name: 'Paw', classes: ['dog'], zOrder: 1, colour: '#112233' };

describe('a form that was left as it is at one change of the schema', () => {
  it('is offered to be asked again at the next, which alone would ask nothing new', async () => {
    const { shop, cora, wanda } = await opened();
    await ask(db(), shop, 'attributes', 2);
    await doBatch(db(), wanda, shop.stages.attributes, () => marked(shop, 'tail', 'white'));
    expect((await save(cora, shop, fluffy)).forms).toMatchObject({ again: 2, all: 2 });
    expect((await save(cora, shop, renamed, true)).forms).toMatchObject({ again: 2, all: 2 });
    const { id } = await getVersion(db(), shop.projectId);
    expect(await itemsOf(db(), shop.stages.attributes)).toMatchObject([
      { state: 'open', answered: 0, schemaVersionId: id },
      { state: 'open', answered: 0, schemaVersionId: id },
    ]);
  });

  it('and one that is being asked again is judged by what people say now, not by its old label', async () => {
    const { shop, cora, wanda } = await opened({ overlap: 2 });
    await ask(db(), shop, 'attributes', 1);
    await doBatch(db(), wanda, shop.stages.attributes, () => marked(shop, 'tail', 'white'));
    await save(cora, shop, fluffy, true);
    await db().update(tables.items).set({ overlap: 2 }).where(eq(tables.items.projectId, shop.projectId));
    const { document } = await getVersion(db(), shop.projectId);
    const wim = await worker(db(), shop, 'Wim');
    const full = marked({ ...shop, schema: document }, 'fluffy', 'white');
    await doBatch(db(), wim, shop.stages.attributes, () => full);
    expect((await save(cora, shop, renamed, true)).forms).toMatchObject({ again: 0, all: 1 });
    expect(await itemsOf(db(), shop.stages.attributes)).toMatchObject([{ state: 'open', answered: 1 }]);
  });
});

it('a form that settles under an old version is followed by the questions of the present schema', async () => {
  const { shop, cora, wanda } = await opened();
  await ask(db(), shop, 'attributes', 1, { overlap: 2 });
  const said = () => marked(shop, 'tail', 'ears', 'white');
  await doBatch(db(), wanda, shop.stages.attributes, said);
  await save(cora, shop, (schema) => ({ ...kindOf('ears', 'label-only')(schema), parts: [paw] }));
  const wim = await worker(db(), shop, 'Wim');
  await doBatch(db(), wim, shop.stages.attributes, said);
  const [form] = await itemsOf(db(), shop.stages.attributes);
  expect(form).toMatchObject({ state: 'settled', schemaVersionId: shop.schemaVersionId });
  const { id } = await getVersion(db(), shop.projectId);
  const parts = await itemsOf(db(), shop.stages['part-mask']);
  expect(parts.map(({ target }) => target).sort()).toEqual(['paw', 'tail']);
  expect(new Set(parts.map(({ schemaVersionId }) => schemaVersionId))).toEqual(new Set([id]));
});

it('a part that half of its people had drawn when it left the schema is asked on when it comes back', async () => {
  const { shop, cora, wanda } = await opened();
  await ask(db(), shop, 'attributes', 1);
  await doBatch(db(), wanda, shop.stages.attributes, () => marked(shop, 'tail', 'white'));
  await db().update(tables.items).set({ overlap: 2 }).where(eq(tables.items.target, 'tail'));
  await doBatch(db(), wanda, shop.stages['part-mask'], () => square);
  await save(cora, shop, kindOf('tail', 'label-only'));
  expect(await itemsOf(db(), shop.stages['part-mask'])).toMatchObject([{ state: 'withdrawn', answered: 1 }]);
  await save(cora, shop, kindOf('tail', 'localised'));
  expect(await itemsOf(db(), shop.stages['part-mask'])).toMatchObject([
    { state: 'open', answered: 1, overlap: 2 },
  ]);
});

it('masks of a second object in a picture go and come with the parts of its own class', async () => {
  const { shop, cora } = await opened();
  await save(cora, shop, (schema) => ({ ...schema, parts: [{ ...paw, classes: ['cat'] }] }));
  await ask(db(), shop, 'part-mask', 1, { target: 'paw#2:cat' });
  const states = async () => (await itemsOf(db(), shop.stages['part-mask'])).map(({ state }) => state);
  expect((await save(cora, shop, renamed)).setAside).toEqual([]);
  expect(await states()).toEqual(['open']);
  const foreseen = await save(cora, shop, (schema) => ({ ...schema, parts: [paw] }));
  expect(foreseen.setAside).toMatchObject([{ target: 'paw#2:cat', questions: 1 }]);
  expect(await states()).toEqual(['withdrawn']);
});
