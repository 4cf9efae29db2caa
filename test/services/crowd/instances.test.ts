import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { type Database, newId, tables } from '@/db';
import { area, decodeCounts, encodeCounts, rasterizeBox, rasterizeInstances } from '@/lib/core/mask';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { DatasetSchema } from '@/lib/core/schema';
import { saveDraft, submitBatch } from '@/lib/services/crowd/work';
import { followingQuestions } from '@/lib/services/crowd/work/change-following';
import { checkAnswer } from '@/lib/services/crowd/work/check-answer';
import { followObjects } from '@/lib/services/crowd/work/follow-objects';
import { numberObjects } from '@/lib/services/crowd/work/number-objects';
import { targetOf } from '@/lib/services/crowd/work/target-of';
import { decideLabel } from '@/lib/services/curation/audit/decide-label';
import { undoDecision } from '@/lib/services/curation/audit/undo-decision';
import { authorGold } from '@/lib/services/curation/gold';
import { readLabels } from '@/lib/services/datasets/freeze/read-labels';
import { readImageOutlines } from '@/lib/services/images/image-outlines';
import { saveSchema } from '@/lib/services/projects/schema';
import { addedQuestions, asksNoMore } from '@/lib/services/projects/schema/expected-questions';
import { useDatabase } from '../../support/database';
import { audited, currentLabels, decisionsOn } from '../curation/audit/rated';
import { answer, ask, doBatch, HEIGHT, itemsOf, take, WIDTH, type Workshop, worker } from './workshop';

const db = useDatabase();

/** A project about dogs, several in one image, with paws and one head each. */
async function dogs() {
  const { shop, curator } = await audited(db());
  const part = { name: 'Part', classes: ['dog'], zOrder: 0, colour: '#ff8800' };
  const schema = DatasetSchema.parse({
    ...shop.schema,
    classes: [
      ...shop.schema.classes.map((entry) => (entry.id === 'dog' ? { ...entry, numbered: true } : entry)),
      { id: 'grass', name: 'Grass', kind: 'stuff' },
    ],
    parts: [
      { ...part, id: 'paw', name: 'Paw', numbered: true },
      { ...part, id: 'muzzle', name: 'Muzzle' },
    ],
    flags: ['occluded'],
  });
  const [version] = await db()
    .insert(tables.schemaVersions)
    .values({ projectId: shop.projectId, number: 2, document: schema })
    .returning({ id: tables.schemaVersions.id });
  const schemaVersionId = version?.id as string;
  await db().update(tables.projects).set({ schemaVersionId }).where(eq(tables.projects.id, shop.projectId));
  return { shop: { ...shop, schema, schemaVersionId }, curator, ann: await worker(db(), shop, 'Ann') };
}

const box = (x: number, y: number, side: number, instance?: number) => ({
  kind: 'polygon' as const,
  op: 'add' as const,
  ...(instance && { instance }),
  outer: [x, y, x + side, y, x + side, y + side, x, y + side],
  holes: [],
});
const drawn = (...shapes: ReturnType<typeof box>[]): AnswerValue => ({ kind: 'mask', shapes });
const twoPaws = drawn(box(2, 2, 8), box(30, 2, 10, 2));

const askedOf = async (database: Database, shop: Workshop) => {
  const rows = await itemsOf(database, shop.stages['part-mask']);
  return Object.fromEntries(rows.map(({ target, state }) => [target, state]));
};

const instancesIn = (value: Record<string, unknown>) =>
  (value.instances as string[] | undefined)?.map((counts) => area(decodeCounts(counts, HEIGHT, WIDTH)));

describe('two paws drawn as two instances', () => {
  it('become a label with two instances, drawn by the server whatever the client claims', async () => {
    const { shop, ann } = await dogs();
    await ask(db(), shop, 'part-mask', 1, { target: 'paw' });
    const forged = ['0', '1', '2'].map(() => encodeCounts(rasterizeBox([0, 0, 1, 1], HEIGHT, WIDTH)));
    const erasesThird = [box(50, 30, 5, 3), { ...box(49, 29, 8, 3), op: 'erase' as const }];
    const value = {
      ...drawn(box(2, 2, 8), box(30, 2, 10, 2)),
      instances: forged,
      flags: ['occluded' as const],
    } as Extract<AnswerValue, { kind: 'mask' }>;
    await doBatch(db(), ann, shop.stages['part-mask'], () => ({
      ...value,
      shapes: [...value.shapes, ...erasesThird],
    }));
    const [label] = await currentLabels(db(), shop);
    expect(instancesIn(label?.value ?? {})).toEqual([64, 100]);
    expect(label).toMatchObject({ area: 164, value: { flags: ['occluded'] } });
  });

  it('are in the draft that becomes the answer', async () => {
    const { shop, ann } = await dogs();
    await ask(db(), shop, 'part-mask', 1, { target: 'paw' });
    const batch = await take(db(), ann, shop.stages['part-mask']);
    const [item] = batch.items;
    expect(item?.target).toMatchObject({ isNumbered: true, flags: ['occluded'] });
    await saveDraft(db(), ann, {
      leaseId: item?.leaseId as string,
      revision: 0,
      document: {},
      answer: { value: twoPaws },
    });
    await submitBatch(db(), ann, { batchId: batch.id });
    const [label] = await currentLabels(db(), shop);
    expect(instancesIn(label?.value ?? {})).toEqual([64, 100]);
  });

  it('are one mask where the part is drawn once', async () => {
    const { shop, ann } = await dogs();
    await ask(db(), shop, 'part-mask', 1, { target: 'muzzle' });
    await doBatch(db(), ann, shop.stages['part-mask'], () => twoPaws);
    const [label] = await currentLabels(db(), shop);
    expect(label?.value).not.toHaveProperty('instances');
    expect(label?.area).toBe(164);
  });

  it('are kept by a correction and by gold, and outlined separately', async () => {
    const { shop, ann, curator } = await dogs();
    const [itemId] = await ask(db(), shop, 'part-mask', 1, { target: 'paw' });
    await doBatch(db(), ann, shop.stages['part-mask'], () => drawn(box(2, 2, 8)));
    const [before] = await currentLabels(db(), shop);
    const { projectId } = shop;
    const decision = { projectId, labelId: before?.id as string, decisionId: newId() };
    const touching = drawn(box(2, 2, 8), box(10, 2, 8, 2));
    await decideLabel(db(), curator, { ...decision, verdict: 'corrected', value: touching });
    const [after] = await currentLabels(db(), shop);
    expect(instancesIn(after?.value ?? {})).toEqual([64, 64]);
    const imageId = after?.imageId as string;
    const [picture] = await readImageOutlines(db(), { projectId, imageIds: [imageId] });
    expect(picture?.outlines[0]?.path.match(/M/g)).toHaveLength(2);
    const place = { projectId, stageId: shop.stages['part-mask'], imageId, target: 'paw' };
    const { goldId } = await authorGold(db(), curator, { ...place, value: twoPaws, use: true });
    const [gold] = await db().select().from(tables.gold).where(eq(tables.gold.id, goldId));
    expect(gold).toMatchObject({ itemId });
    expect(instancesIn(gold?.value ?? {})).toEqual([64, 100]);
  });
});

/** Two dogs outlined, the larger one second. */
const twoDogs = drawn(box(2, 2, 10), box(30, 2, 20, 2));
const twoDogsAndAnother = drawn(box(2, 2, 10), box(30, 2, 20, 2), box(54, 30, 9, 3));
const threeDogs = drawn(box(2, 2, 10), box(30, 2, 20, 2), box(2, 30, 12, 3));

describe('two dogs outlined on one image', () => {
  async function outlined(value = twoDogs) {
    const made = await dogs();
    await ask(db(), made.shop, 'object-mask', 1, { schemaVersionId: made.shop.schemaVersionId });
    await doBatch(db(), made.ann, made.shop.stages['object-mask'], () => value);
    return made;
  }

  async function correct({ shop, curator }: Awaited<ReturnType<typeof dogs>>, value: AnswerValue) {
    const { projectId } = shop;
    const label = (await currentLabels(db(), shop)).find(({ target }) => target === '');
    const decisionId = newId();
    const decision = { projectId, labelId: label?.id as string, decisionId };
    await decideLabel(db(), curator, { ...decision, verdict: 'corrected', value });
    return { projectId, decisionId };
  }

  it('lead to the parts of the second one, which is the smaller', async () => {
    const made = await outlined();
    expect(await askedOf(db(), made.shop)).toEqual({ 'paw#2:dog': 'open', 'muzzle#2:dog': 'open' });
    const batch = await take(db(), made.ann, made.shop.stages['part-mask']);
    const [item] = batch.items;
    expect(area(decodeCounts(item?.object ?? '', HEIGHT, WIDTH))).toBe(100);
    expect(item?.target?.name).toContain('(2)');
  });

  it('lead to nothing else when they are asked again', async () => {
    const { shop } = await outlined();
    const [item] = await itemsOf(db(), shop.stages['object-mask']);
    const itemIds = [item?.id as string];
    const before = await itemsOf(db(), shop.stages['part-mask']);
    await db().transaction((tx) => followObjects(tx, { projectId: shop.projectId, itemIds, by: 'crowd' }));
    expect(await itemsOf(db(), shop.stages['part-mask'])).toEqual(before);
  });

  it('a curator leaves one: the parts of the other are set aside; taken back, they are there again', async () => {
    const made = await outlined();
    const { shop, ann, curator } = made;
    const batch = await take(db(), ann, shop.stages['part-mask']);
    for (const { leaseId, target } of batch.items)
      if (target?.id === 'paw#2:dog') await answer(db(), ann, leaseId, drawn(box(3, 3, 3), box(8, 3, 3, 2)));
    await submitBatch(db(), ann, { batchId: batch.id });
    const paws = (await currentLabels(db(), shop)).find(({ target }) => target === 'paw#2:dog');
    expect(instancesIn(paws?.value ?? {})).toEqual([9, 9]);
    const correction = await correct(made, drawn(box(30, 2, 20)));
    expect(await askedOf(db(), shop)).toEqual({ 'paw#2:dog': 'withdrawn', 'muzzle#2:dog': 'withdrawn' });
    expect(await decisionsOn(db(), paws?.id ?? '')).toMatchObject([
      { verdict: 'set-aside', reason: 'The outlines of the image have no object for "paw#2:dog".' },
    ]);
    await undoDecision(db(), curator, correction);
    expect(await askedOf(db(), shop)).toEqual({ 'paw#2:dog': 'settled', 'muzzle#2:dog': 'open' });
    expect((await currentLabels(db(), shop)).map(({ id }) => id)).toContain(paws?.id);
  });

  it('keep their numbers when another one is removed, and one that is added has a new number', async () => {
    const made = await outlined(threeDogs);
    expect(Object.keys(await askedOf(db(), made.shop)).sort()).toEqual([
      'muzzle#2:dog',
      'muzzle#3:dog',
      'paw#2:dog',
      'paw#3:dog',
    ]);
    await correct(made, drawn(box(30, 2, 20), box(2, 2, 10, 2), box(54, 30, 9, 3)));
    expect(await askedOf(db(), made.shop)).toMatchObject({
      'paw#2:dog': 'withdrawn',
      'paw#3:dog': 'open',
      'paw#4:dog': 'open',
    });
  });

  it('have no number of an object that was removed, also after the outline was asked again', async () => {
    const made = await outlined(threeDogs);
    const { shop, curator } = made;
    const { projectId } = shop;
    const outline = async () => (await currentLabels(db(), shop)).find(({ target }) => target === '');
    const reject = async () =>
      decideLabel(db(), curator, {
        projectId,
        labelId: (await outline())?.id as string,
        decisionId: newId(),
        verdict: 'rejected',
        reason: 'A dog is missing.',
      });
    await reject();
    const bob = await worker(db(), shop, 'Bob');
    await doBatch(db(), bob, shop.stages['object-mask'], () => drawn(box(30, 2, 20), box(2, 2, 10, 2)));
    expect((await outline())?.provenance).toMatchObject({ objects: [1, 3] });
    await reject();
    const cleo = await worker(db(), shop, 'Cleo');
    await doBatch(db(), cleo, shop.stages['object-mask'], () => twoDogsAndAnother);
    expect((await outline())?.provenance).toMatchObject({ objects: [3, 1, 4] });
  });

  it('are asked about a part that the schema gets later, and no more about stuff that it loses', async () => {
    const { shop, curator } = await outlined();
    const [item] = await itemsOf(db(), shop.stages['object-mask']);
    const { projectId, schemaVersionId } = shop;
    const grass = { imageId: item?.imageId as string, schemaVersionId, target: '#1001:grass' };
    await db()
      .insert(tables.items)
      .values({ projectId, stageId: shop.stages['object-mask'], ...grass });
    const [first] = shop.schema.parts;
    const document = {
      ...shop.schema,
      classes: shop.schema.classes.filter(({ kind }) => kind !== 'stuff'),
      parts: [...shop.schema.parts, { ...first, id: 'nose', name: 'Nose' }],
    };
    await saveSchema(db(), curator, { projectId, from: 2, document, askAgain: false });
    expect(await askedOf(db(), shop)).toMatchObject({ 'nose#2:dog': 'open', 'paw#2:dog': 'open' });
    const outlines = await itemsOf(db(), shop.stages['object-mask']);
    expect(outlines.find(({ target }) => target === '#1001:grass')?.state).toBe('withdrawn');
  });

  it('are two objects of a version, each with its parts', async () => {
    const { shop, ann } = await outlined();
    await doBatch(db(), ann, shop.stages['part-mask'], () => drawn(box(3, 3, 4)));
    const [item] = await itemsOf(db(), shop.stages['object-mask']);
    const imageId = item?.imageId as string;
    const grass = { target: '#1001:grass', imageId, schemaVersionId: shop.schemaVersionId };
    await db()
      .insert(tables.items)
      .values({ projectId: shop.projectId, stageId: shop.stages['object-mask'], ...grass });
    await doBatch(db(), ann, shop.stages['object-mask'], () => drawn(box(0, 40, 6)));
    const member = { imageId, className: 'dog', height: HEIGHT, width: WIDTH };
    const members = [member] as unknown as Parameters<typeof readLabels>[1];
    const found = await readLabels(db(), members, shop.schema);
    const objects = found.get(imageId)?.objects ?? [];
    expect(
      objects.map(({ instance, className, outline, parts }) => ({
        instance,
        className,
        area: outline && area(outline.mask),
        parts: parts.map(({ id }) => id).sort(),
      })),
    ).toEqual([
      { instance: 1, className: 'dog', area: 400, parts: [] },
      { instance: 2, className: 'dog', area: 100, parts: ['muzzle', 'paw'] },
      { instance: 3, className: 'grass', area: 36, parts: [] },
    ]);
  });
});

describe('numbers of objects', () => {
  const masks = (value: AnswerValue) =>
    rasterizeInstances(value.kind === 'mask' ? value.shapes : [], HEIGHT, WIDTH);

  it('go by size at first, and one is always the main object', () => {
    expect(numberObjects(masks(threeDogs), [], [])).toEqual([3, 1, 2]);
    const [small, large] = masks(twoDogs);
    if (!small || !large) throw new Error('two dogs');
    expect(
      numberObjects(
        [small],
        [
          { mask: large, number: 1 },
          { mask: small, number: 2 },
        ],
        [],
      ),
    ).toEqual([1]);
  });

  it('are not those of objects that came from elsewhere', () => {
    expect(numberObjects(masks(twoDogs), [], [2, 5])).toEqual([6, 1]);
  });
});

it('a worker cannot set a flag that nobody asks for', async () => {
  const { shop } = await dogs();
  const question = {
    stageKind: 'part-mask' as const,
    schema: shop.schema,
    target: 'paw',
    className: 'dog',
    height: HEIGHT,
    width: WIDTH,
  };
  const value = { ...twoPaws, flags: ['crowd' as const, 'occluded' as const] } as AnswerValue;
  expect(checkAnswer(question, value, shop.schema.flags ?? []).value).toMatchObject({ flags: ['occluded'] });
  expect(checkAnswer(question, value).value).toMatchObject({ flags: ['crowd', 'occluded'] });
});

it('a stuff class that the schema gets later is asked about on images that were asked before', async () => {
  const { shop } = await dogs();
  const sky = { id: 'sky', name: 'Sky', kind: 'stuff' as const };
  const next = { ...shop.schema, classes: [...shop.schema.classes, sky] };
  expect(asksNoMore(next, shop.schema)).toBe(false);
  expect(asksNoMore(shop.schema, next)).toBe(true);
  const stages = [{ id: 's', kind: 'object-mask' as const }];
  const added = addedQuestions(shop.schema, next, { old: stages, next: stages }, 'dog', {});
  expect(added.map(({ target }) => target)).toEqual(['#1001:sky']);
});

it('a stuff class is asked about on every image, by its name', async () => {
  const { shop } = await dogs();
  const stages = [{ id: 's', kind: 'object-mask' as const }];
  for (const className of ['dog', null])
    expect(followingQuestions(shop.schema, stages, className, {}).map(({ target }) => target)).toEqual([
      '',
      '#1001:grass',
    ]);
  expect(targetOf(shop.schema, 'object-mask', 'dog', '#1001:grass')).toMatchObject({
    id: '#1001:grass',
    name: 'Grass',
    isNumbered: false,
  });
});
