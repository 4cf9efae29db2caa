import { and, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { tables } from '@/db';
import { type DatasetSchema, editSchema, type SchemaEdit } from '@/lib/core/schema';
import type { UserActor } from '@/lib/services/access';
import type { JobContext } from '@/lib/services/jobs';
import { applySchemaChange, getVersion, saveSchema, schemaEffects } from '@/lib/services/projects/schema';
import { changeSchema } from '@/workers/jobs/crowd';
import { join, person } from '../../services/access/people';
import { statementsOf } from '../../services/crowd/statements-of';
import {
  addGold,
  addImage,
  ask,
  doBatch,
  itemsOf,
  marked,
  square,
  take,
  type Workshop,
  worker,
  workshop,
} from '../../services/crowd/workshop';
import { useDatabase } from '../../support/database';

const db = useDatabase();
const { decisions, gold, images, items, labels, stages } = tables;

const edited = (schema: DatasetSchema, ...edits: SchemaEdit[]) => edits.reduce(editSchema, schema);
const indexOf = (schema: DatasetSchema, id: string) => schema.attributes.findIndex((each) => each.id === id);

/** A curator saves what these edits make of the present version. */
async function save(actor: UserActor, shop: Workshop, edits: SchemaEdit[], askAgain = false) {
  const { number, document } = await getVersion(db(), shop.projectId);
  const next = edited(document, ...edits);
  const foreseen = await schemaEffects(db(), shop.projectId, document, next);
  const saved = await saveSchema(db(), actor, {
    projectId: shop.projectId,
    from: number,
    document: next,
    askAgain,
  });
  return { foreseen, saved };
}

const currentLabels = (projectId: string) =>
  db()
    .select()
    .from(labels)
    .where(and(eq(labels.projectId, projectId), eq(labels.isCurrent, true)));

async function curator(shop: Workshop, name = 'Cora'): Promise<UserActor> {
  const actor = await person(db(), name);
  await join(db(), actor, shop.projectId, 'curator');
  return actor;
}

/** Two dogs, each with a form that says "tail" and "ears", and the masks of both. */
async function collected(): Promise<{ shop: Workshop; cora: UserActor }> {
  const shop = await workshop(db());
  const wanda = await worker(db(), shop);
  await ask(db(), shop, 'attributes', 2);
  await doBatch(db(), wanda, shop.stages.attributes, () => marked(shop, 'tail', 'ears', 'white'));
  await doBatch(db(), wanda, shop.stages['part-mask'], () => square);
  return { shop, cora: await curator(shop) };
}

describe('an attribute that is no longer drawn', () => {
  let shop: Workshop;
  let cora: UserActor;
  beforeAll(async () => {
    ({ shop, cora } = await collected());
  });

  it('has its masks set aside, as foreseen; they stay on record with the reason', async () => {
    const before = await currentLabels(shop.projectId);
    const index = indexOf(shop.schema, 'ears');
    const { foreseen, saved } = await save(cora, shop, [
      { do: 'set', list: 'attributes', index, fields: { kind: 'label-only' } },
    ]);
    expect(saved).toEqual({ number: 2, jobId: null });
    expect(foreseen).toMatchObject({
      asked: [],
      setAside: [{ target: 'ears', className: 'dog', questions: 2, labels: 2, gold: 0 }],
      forms: { again: 0, all: 2 },
      kept: before.length - 2,
      restored: 0,
    });
    const now = await currentLabels(shop.projectId);
    expect(now).toHaveLength(before.length - 2);
    expect(now.map(({ target }) => target)).not.toContain('ears');
    const asked = await itemsOf(db(), shop.stages['part-mask']);
    expect(asked.filter(({ target }) => target === 'ears').map(({ state }) => state)).toEqual([
      'withdrawn',
      'withdrawn',
    ]);
    const why = await db()
      .select()
      .from(decisions)
      .where(and(eq(decisions.projectId, shop.projectId), eq(decisions.subject, 'label')));
    expect(why).toHaveLength(2);
    expect(why[0]).toMatchObject({ verdict: 'set-aside', rule: 'schema-change', ruleVersion: 2 });
  });

  it('has them back when it is drawn again', async () => {
    const index = indexOf(shop.schema, 'ears');
    const { foreseen } = await save(cora, shop, [
      { do: 'set', list: 'attributes', index, fields: { kind: 'localised' } },
    ]);
    expect(foreseen).toMatchObject({ restored: 2, setAside: [], asked: [] });
    const now = await currentLabels(shop.projectId);
    expect(now.filter(({ target }) => target === 'ears')).toHaveLength(2);
    const asked = await itemsOf(db(), shop.stages['part-mask']);
    expect(new Set(asked.map(({ state }) => state))).toEqual(new Set(['settled']));
  });
});

it('a part is added: its question about every image of its class appears, as many as foreseen, at the price told', async () => {
  const { shop, cora } = await collected();
  await addImage(db(), shop.projectId, 'cat');
  const part = { id: 'paw', name: 'Paw', classes: ['dog'], zOrder: 1, colour: '#112233' };
  const { document, number } = await getVersion(db(), shop.projectId);
  const next = { ...document, parts: [part] };
  const foreseen = await schemaEffects(db(), shop.projectId, document, next);
  expect(foreseen.asked).toEqual([
    { stage: 'Part masks', kind: 'part-mask', target: 'paw', questions: 2, amountMicro: 200_000n },
  ]);
  await saveSchema(db(), cora, { projectId: shop.projectId, from: number, document: next, askAgain: false });
  const paws = (await itemsOf(db(), shop.stages['part-mask'])).filter(({ target }) => target === 'paw');
  expect(paws.map(({ state }) => state)).toEqual(['open', 'open']);
  const wanda = await worker(db(), shop, 'Wim');
  const batch = await take(db(), wanda, shop.stages['part-mask']);
  expect(batch.items.map((item) => item.target?.name)).toEqual(['Paw', 'Paw']);
  // Once more does nothing: a job that was killed begins again.
  const [from, to] = await Promise.all([1, 2].map((n) => getVersion(db(), shop.projectId, n)));
  await applySchemaChange(db(), {
    projectId: shop.projectId,
    from: from?.id as string,
    to: to?.id as string,
    askAgain: false,
  });
  expect(
    (await itemsOf(db(), shop.stages['part-mask'])).filter(({ target }) => target === 'paw'),
  ).toHaveLength(2);
});

describe('an attribute is added', () => {
  const grow: SchemaEdit[] = [
    { do: 'add', list: 'attributes', group: 'texture' },
    { do: 'rename', list: 'attributes', index: 28, name: 'Fluffy' },
    {
      do: 'set',
      list: 'attributes',
      index: 28,
      fields: { definition: 'Soft to the eye.', kind: 'label-only' },
    },
  ];

  it('forms are asked again of others if the curator wants it; the labels stay until then', async () => {
    const { shop, cora } = await collected();
    const { foreseen } = await save(cora, shop, grow, true);
    expect(foreseen.forms).toMatchObject({ again: 2, all: 2 });
    const forms = await itemsOf(db(), shop.stages.attributes);
    expect(forms.map(({ state, answered }) => [state, answered])).toEqual([
      ['open', 0],
      ['open', 0],
    ]);
    expect(
      (await currentLabels(shop.projectId)).filter(({ value }) => value.kind === 'attributes'),
    ).toHaveLength(2);
    const wim = await worker(db(), shop, 'Wim');
    const { document } = await getVersion(db(), shop.projectId);
    await doBatch(db(), wim, shop.stages.attributes, () =>
      marked({ ...shop, schema: document }, 'fluffy', 'white'),
    );
    const now = (await currentLabels(shop.projectId)).filter(({ value }) => value.kind === 'attributes');
    expect(now.map(({ value }) => (value.choices as Record<string, string[]>).texture)).toEqual([
      ['fluffy'],
      ['fluffy'],
    ]);
  });

  it('or stay as they are', async () => {
    const { shop, cora } = await collected();
    await save(cora, shop, grow, false);
    const forms = await itemsOf(db(), shop.stages.attributes);
    expect(forms.map(({ state }) => state)).toEqual(['settled', 'settled']);
  });

  it('gold that says nothing about it waits for a curator, and is shown in the words of the new version', async () => {
    const shop = await workshop(db());
    const cora = await curator(shop);
    await addGold(db(), shop, 'attributes', 2, marked(shop, 'tail', 'white'));
    await ask(db(), shop, 'attributes', 1);
    await save(cora, shop, grow);
    const kept = await db().select().from(gold).where(eq(gold.projectId, shop.projectId));
    expect(kept.map(({ state }) => state)).toEqual(['candidate', 'candidate']);
    const versions = await db()
      .selectDistinct({ id: items.schemaVersionId })
      .from(items)
      .where(eq(items.projectId, shop.projectId));
    expect(versions).toHaveLength(1);
  });
});

it('gold of an attribute that is gone is never shown again, also not for practice', async () => {
  const shop = await workshop(db());
  const cora = await curator(shop);
  await addGold(db(), shop, 'part-mask', 2, square);
  await save(cora, shop, [{ do: 'remove', list: 'attributes', index: indexOf(shop.schema, 'long-snout') }]);
  const kept = await db().select().from(gold).where(eq(gold.projectId, shop.projectId));
  expect(kept.map(({ state }) => state)).toEqual(['excluded', 'excluded']);
});

it('gold drawn as one object waits for a curator when its class can have several per image', async () => {
  const shop = await workshop(db());
  const cora = await curator(shop);
  const [goldId = ''] = await addGold(db(), shop, 'object-mask', 1, square);
  const { document } = await getVersion(db(), shop.projectId);
  const index = document.classes.findIndex(({ id }) => id === 'dog');
  await save(cora, shop, [{ do: 'set', list: 'classes', index, fields: { numbered: true } }]);
  const [row] = await db().select().from(gold).where(eq(gold.id, goldId));
  expect(row?.state).toBe('candidate');
});

it('two curators edit at once: the second is told, nothing of theirs is lost, and saves on top', async () => {
  const shop = await workshop(db());
  const cora = await curator(shop);
  const carl = await curator(shop, 'Carl');
  const rename = (name: string): SchemaEdit => ({ do: 'set', list: 'classes', index: 0, fields: { name } });
  const first = edited(shop.schema, rename('Lorry'));
  const second = edited(shop.schema, rename('Van'));
  const by = (actor: UserActor, from: number, document: unknown) =>
    saveSchema(db(), actor, { projectId: shop.projectId, from, document, askAgain: false });
  const [won, lost] = await Promise.allSettled([by(cora, 1, first), by(carl, 1, second)]);
  const refused = [won, lost].find((each) => each.status === 'rejected') as PromiseRejectedResult;
  expect(refused.reason).toMatchObject({ kind: 'conflict', detail: { current: 2 } });
  const { document } = await getVersion(db(), shop.projectId);
  const left = document.classes[0]?.name === 'Lorry' ? second : first;
  expect(await by(carl, 2, left)).toEqual({ number: 3, jobId: null });
  expect((await getVersion(db(), shop.projectId, 2)).document).toEqual(document);
});

it('a schema that is not valid, one that changes nothing, and a worker are refused', async () => {
  const shop = await workshop(db());
  const cora = await curator(shop);
  const by = (actor: UserActor, document: unknown) =>
    saveSchema(db(), actor, { projectId: shop.projectId, from: 1, document, askAgain: false });
  await expect(by(cora, { ...shop.schema, classes: [] })).rejects.toMatchObject({ kind: 'invalid' });
  await expect(by(cora, shop.schema)).rejects.toMatchObject({ message: expect.stringContaining('Nothing') });
  const wanda = await worker(db(), shop);
  await expect(
    by(wanda, edited(shop.schema, { do: 'remove', list: 'classes', index: 0 })),
  ).rejects.toMatchObject({
    kind: 'not-found',
  });
});

it('a schema that begins to ask for attributes gets the stage for it, before the masks', async () => {
  const shop = await workshop(db());
  const cora = await curator(shop);
  const masksOnly: SchemaEdit[] = shop.schema.attributeGroups.map(() => ({
    do: 'remove',
    list: 'attributeGroups',
    index: 0,
  }));
  await save(cora, shop, masksOnly);
  await db().delete(stages).where(eq(stages.id, shop.stages.attributes));
  const { number } = await getVersion(db(), shop.projectId);
  await ask(db(), shop, 'object-mask', 2);
  await saveSchema(db(), cora, {
    projectId: shop.projectId,
    from: number,
    document: shop.schema,
    askAgain: false,
  });
  const there = await db()
    .select()
    .from(stages)
    .where(eq(stages.projectId, shop.projectId))
    .orderBy(stages.position);
  expect(there.map(({ kind }) => kind)).toEqual(['attributes', 'object-mask', 'part-mask']);
  expect(await itemsOf(db(), there[0]?.id as string)).toHaveLength(2);
});

it('what a change does is foreseen in as many statements for two images as for twenty', async () => {
  const count = async (images: number) => {
    const shop = await workshop(db());
    await ask(db(), shop, 'attributes', images);
    const next = edited(shop.schema, { do: 'remove', list: 'attributes', index: 0 });
    return (await statementsOf(() => schemaEffects(db(), shop.projectId, shop.schema, next))).length;
  };
  expect(await count(20)).toBe(await count(2));
});

it('with many images a job applies the version, shows how far it is, and no other version is saved before it is done', async () => {
  const { shop, cora } = await collected();
  await db().execute(sql`
    insert into ${images} (id, project_id, name, width, height, source_sha256, blob, perceptual_hash)
    select gen_random_uuid(), project_id, name, width, height, blob || n, blob, 0
    from ${images}, generate_series(1, 2000) n where id = (
      select id from ${images} where project_id = ${shop.projectId} limit 1)`);
  const index = indexOf(shop.schema, 'ears');
  const change: SchemaEdit[] = [{ do: 'set', list: 'attributes', index, fields: { kind: 'label-only' } }];
  const { saved } = await save(cora, shop, change, true);
  expect(saved).toMatchObject({ number: 2, jobId: expect.any(String) });
  const rename: SchemaEdit = { do: 'set', list: 'classes', index: 0, fields: { name: 'Lorry' } };
  await expect(save(cora, shop, [rename])).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('still being applied'),
  });
  const [from, to] = await Promise.all([1, 2].map((n) => getVersion(db(), shop.projectId, n)));
  const input = { projectId: shop.projectId, from: from?.id, to: to?.id, askAgain: true };
  const told: string[] = [];
  const context = {
    db: db(),
    signal: new AbortController().signal,
    progress: async (_done: number, _total: number | null, text = '') => void told.push(text),
  };
  await changeSchema.run(context as unknown as JobContext, changeSchema.input.parse(input));
  // Nothing more is drawn than before, so that the images need not be gone through.
  expect(new Set(told)).toEqual(new Set(['Forms looked at']));
  expect((await currentLabels(shop.projectId)).map(({ target }) => target)).not.toContain('ears');
});
