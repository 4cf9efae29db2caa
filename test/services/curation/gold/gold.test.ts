import { and, desc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { tables } from '@/db';
import { encodeCounts, rasterizeShapes, toCounts } from '@/lib/core/mask';
import type { UserActor } from '@/lib/services/access';
import { decideAboutGold } from '@/lib/services/crowd/gold';
import { choosePool } from '@/lib/services/crowd/gold/assign-pool';
import { askFirstQuestions } from '@/lib/services/crowd/work';
import { authorGold, importGold, listGold, pickImages } from '@/lib/services/curation/gold';
import { useDatabase } from '../../../support/database';
import { useHome } from '../../../support/home';
import { join, person } from '../../access/people';
import { statementsOf } from '../../crowd/statements-of';
import {
  addGold,
  addImage,
  doBatch,
  elsewhere,
  HEIGHT,
  itemsOf,
  marked,
  square,
  WIDTH,
  type Workshop,
  worker,
  workshop,
} from '../../crowd/workshop';

const db = useDatabase();
useHome();
const { auditLog, decisions, gold, images, items, labels } = tables;

async function curator(shop: Workshop, name: string): Promise<UserActor> {
  const actor = await person(db(), name);
  await join(db(), actor, shop.projectId, 'curator');
  return actor;
}

const goldOf = (shop: Workshop) =>
  db().select().from(gold).where(eq(gold.projectId, shop.projectId)).orderBy(gold.id);

async function named(shop: Workshop, name: string, className = 'dog'): Promise<string> {
  const id = await addImage(db(), shop.projectId, className);
  await db().update(images).set({ name }).where(eq(images.id, id));
  return id;
}

describe('a curator draws gold in the annotator', () => {
  let shop: Workshop;
  let cora: UserActor;
  let place: { projectId: string; stageId: string; imageId: string; target: string };
  beforeAll(async () => {
    shop = await workshop(db());
    cora = await curator(shop, 'Cora');
    const imageId = await addImage(db(), shop.projectId);
    place = { projectId: shop.projectId, stageId: shop.stages['part-mask'], imageId, target: 'tail' };
  });

  it('as a candidate it asks nobody and settles nothing', async () => {
    const made = await authorGold(db(), cora, { ...place, value: square, use: false });
    expect(made.state).toBe('candidate');
    const [item] = await itemsOf(db(), shop.stages['part-mask']);
    expect(item).toMatchObject({ state: 'withdrawn', target: 'tail' });
    expect(await db().select().from(labels).where(eq(labels.projectId, shop.projectId))).toEqual([]);
  });

  it('confirmed, it is in use, and what is known is the label of the item', async () => {
    const [candidate] = await goldOf(shop);
    const goldId = candidate?.id as string;
    await decideAboutGold(db(), cora, { goldId, state: 'active', reason: 'Good.' });
    expect((await goldOf(shop))[0]).toMatchObject({ state: 'active', confirmedBy: cora.userId });
    const [label] = await db().select().from(labels).where(eq(labels.projectId, shop.projectId));
    expect(label).toMatchObject({ source: 'correction', provenance: { method: 'gold', gold: goldId } });
    expect((await itemsOf(db(), shop.stages['part-mask']))[0]?.state).toBe('settled');
  });

  it('excluded and restored, with a decision and a line in the audit log each', async () => {
    const goldId = (await goldOf(shop))[0]?.id as string;
    await decideAboutGold(db(), cora, { goldId, state: 'excluded', reason: 'The tail is hidden.' });
    await decideAboutGold(db(), cora, { goldId, state: 'active', reason: 'It is not.' });
    const made = await db()
      .select({ verdict: decisions.verdict, reason: decisions.reason })
      .from(decisions)
      .where(and(eq(decisions.subject, 'gold'), eq(decisions.subjectId, goldId)))
      .orderBy(desc(decisions.id));
    expect(made.slice(0, 2)).toEqual([
      { verdict: 'confirmed', reason: 'It is not.' },
      { verdict: 'excluded', reason: 'The tail is hidden.' },
    ]);
    const log = await db()
      .select({ verb: auditLog.verb })
      .from(auditLog)
      .where(eq(auditLog.subjectId, goldId));
    expect(log.map(({ verb }) => verb)).toEqual(['gold.write', 'gold.decide', 'gold.decide', 'gold.decide']);
  });

  it('a drawing that covers nothing, a part that the class lacks, and a stranger are refused', async () => {
    const outside = { kind: 'polygon', op: 'add', outer: [900, 900, 950, 900, 950, 950], holes: [] } as const;
    const empty = { kind: 'mask', shapes: [{ ...outside, outer: [...outside.outer], holes: [] }] } as const;
    await expect(
      authorGold(db(), cora, { ...place, value: { kind: 'mask', shapes: [...empty.shapes] }, use: true }),
    ).rejects.toMatchObject({ kind: 'invalid' });
    await expect(
      authorGold(db(), cora, { ...place, target: 'wheels-of-fire', value: square, use: true }),
    ).rejects.toMatchObject({ message: expect.stringContaining('nothing called') });
    const stranger = await person(db(), 'Stan');
    await expect(authorGold(db(), stranger, { ...place, value: square, use: true })).rejects.toMatchObject({
      kind: 'not-found',
    });
  });

  it('an image with gold is asked its other questions all the same', async () => {
    await db().transaction((tx) => askFirstQuestions(tx, { projectId: shop.projectId }));
    expect(await itemsOf(db(), shop.stages.attributes)).toHaveLength(1);
    const wanda = await worker(db(), shop);
    await doBatch(db(), wanda, shop.stages.attributes, () => marked(shop, 'tail', 'white'));
    const tails = await db()
      .select()
      .from(items)
      .where(and(eq(items.projectId, shop.projectId), eq(items.target, 'tail')));
    expect(tails.map(({ state }) => state)).toEqual(['settled']);
  });
});

describe('where the policy wants two people', () => {
  const two = { gold: { twoPeople: true } };

  it('what one writes is a candidate, which they cannot confirm, and another can', async () => {
    const shop = await workshop(db(), two);
    const [cora, carl] = [await curator(shop, 'Cora'), await curator(shop, 'Carl')];
    const imageId = await addImage(db(), shop.projectId);
    const { goldId, state } = await authorGold(db(), cora, {
      projectId: shop.projectId,
      stageId: shop.stages['object-mask'],
      imageId,
      target: '',
      value: square,
      use: true,
    });
    expect(state).toBe('candidate');
    const confirm = (actor: UserActor) =>
      decideAboutGold(db(), actor, { goldId, state: 'active', reason: 'Good.' });
    await expect(confirm(cora)).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('somebody else'),
    });
    await confirm(carl);
    expect((await goldOf(shop))[0]).toMatchObject({
      state: 'active',
      authorId: cora.userId,
      confirmedBy: carl.userId,
    });
  });

  it('what everybody agreed on has no author: any curator confirms it', async () => {
    const shop = await workshop(db(), two);
    const cora = await curator(shop, 'Cora');
    const [goldId] = await addGold(db(), shop, 'object-mask', 1, square, { state: 'candidate' });
    await decideAboutGold(db(), cora, { goldId: goldId as string, state: 'active', reason: 'Good.' });
    expect((await goldOf(shop))[0]?.state).toBe('active');
  });
});

describe('an import of gold with good and bad lines', () => {
  let shop: Workshop;
  let cora: UserActor;
  beforeAll(async () => {
    shop = await workshop(db());
    cora = await curator(shop, 'Cora');
    for (const name of ['rex.png', 'fido.png', 'twin.png', 'twin.png']) await named(shop, name);
  });
  const rle = (counts: unknown, size = [HEIGHT, WIDTH]) => ({ size, counts });
  const shapes = square.kind === 'mask' ? square.shapes : [];
  const mask = rasterizeShapes(shapes, HEIGHT, WIDTH);
  const send = (lines: (object | string)[], use = true) =>
    importGold(db(), cora, {
      projectId: shop.projectId,
      text: `\uFEFF${lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\r\n')}\n\n`,
      use,
    });
  const good = [
    { image: 'rex.png', attributes: ['white', 'tail'] },
    { image: 'rex.png', target: 'tail', segmentation: [[10, 10, 30, 10, 30, 30, 10, 30]] },
    { image: 'rex.png', target: 'object', segmentation: rle(toCounts(mask)) },
    { image: 'fido.png', segmentation: rle(encodeCounts(mask)) },
    { image: 'fido.png', target: 'horns', nothing: true },
  ];

  it('takes the good ones, gives a reason for each bad one, and the count adds up', async () => {
    const report = await send([
      ...good,
      'not json',
      { image: 'nobody.png', nothing: true },
      { image: 'twin.png', nothing: true },
      { image: 'rex.png' },
      { image: 'rex.png', nothing: true, class: 'dog' },
      { image: 'rex.png', attributes: ['white', 'shiny'] },
      { image: 'rex.png', attributes: { color: ['white', 'black', 'red'] } },
      { image: 'rex.png', target: 'ears', segmentation: rle('x', [2, 2]) },
      { image: 'rex.png', target: 'ears', segmentation: rle([1, 2, 3]) },
      { image: 'rex.png', target: 'elbow', nothing: true },
      { image: 'rex.png', class: 'dog' },
      { image: 'rex.png', target: 'tail', nothing: true },
    ]);
    const { lines, imported, unchanged, refused } = report;
    expect([lines, imported, unchanged, refused.length]).toEqual([17, 5, 0, 12]);
    expect(imported + unchanged + refused.length).toBe(lines);
    expect(refused.map(({ line }) => line)).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]);
    const reasons = refused.map(({ reason }) => reason);
    expect(reasons).toEqual([
      expect.stringContaining('not JSON'),
      expect.stringContaining('no image'),
      expect.stringContaining('2 images are called'),
      expect.stringContaining('no answer'),
      expect.stringContaining('several answers'),
      expect.stringContaining('no attribute "shiny"'),
      expect.stringContaining('at most 2'),
      expect.stringContaining('2 × 2'),
      expect.stringContaining('run lengths'),
      expect.stringContaining('nothing called "elbow"'),
      expect.stringContaining('no stage'),
      expect.stringContaining('earlier line'),
    ]);
    const made = await goldOf(shop);
    expect(made).toHaveLength(5);
    expect(made[2]?.mask).toBe(encodeCounts(mask));
    expect(new Set(made.map(({ authorId }) => authorId))).toEqual(new Set([cora.userId]));
  });

  it('the same file again changes nothing; the same question with another answer rewrites it', async () => {
    expect(await send(good)).toMatchObject({ imported: 0, unchanged: 5, refused: [] });
    expect(
      await send([{ image: 'fido.png', target: 'horns', segmentation: [[0, 0, 9, 0, 9, 9]] }]),
    ).toMatchObject({
      imported: 1,
    });
    expect(await goldOf(shop)).toHaveLength(5);
  });

  it('an empty file and one that is too long say so', async () => {
    await expect(send([])).rejects.toMatchObject({ message: 'The file has no lines.' });
    await expect(send(Array.from({ length: 2001 }, () => '{}'))).rejects.toMatchObject({
      message: expect.stringContaining('in pieces'),
    });
  });
});

describe('the list of gold', () => {
  let shop: Workshop;
  beforeAll(async () => {
    shop = await workshop(db(), { checkRate: 0.5, batchSize: { attributes: 4, masks: 4 } });
    await addGold(db(), shop, 'part-mask', 5, square);
    await addGold(db(), shop, 'object-mask', 2, elsewhere, { state: 'candidate' });
  });

  it('is filtered by stage, target and state, comes in pages, and counts by state', async () => {
    const all = await listGold(db(), { projectId: shop.projectId, limit: 4 });
    expect(all.counts).toEqual({ candidate: 2, active: 5, excluded: 0, retired: 0 });
    const rest = await listGold(db(), { projectId: shop.projectId, limit: 4, after: all.next as string });
    expect(rest.next).toBeNull();
    expect(new Set([...all.gold, ...rest.gold].map(({ id }) => id)).size).toBe(7);
    const snouts = await listGold(db(), { projectId: shop.projectId, target: 'long-snout', state: 'active' });
    expect(snouts.gold).toHaveLength(5);
    expect(snouts.gold[0]).toMatchObject({ exposures: 0, passed: null, hasDrifted: false });
    expect(snouts.gold[0]?.outline).toMatch(/^M/);
    const drawn = await listGold(db(), { projectId: shop.projectId, stageId: shop.stages['object-mask'] });
    expect(drawn.counts).toMatchObject({ candidate: 2, active: 0 });
  });

  it('asks as much of the database for one as for many', async () => {
    const count = async (limit: number) =>
      (await statementsOf(() => listGold(db(), { projectId: shop.projectId, limit }))).length;
    expect(await count(6)).toBe(await count(1));
  });

  it('pictures that are gold already are not offered again', async () => {
    const offered = await pickImages(db(), {
      projectId: shop.projectId,
      stageId: shop.stages['part-mask'],
      target: 'long-snout',
      classes: ['dog'],
    });
    expect(offered.images).toHaveLength(2);
  });
});

describe('the pool of new gold', () => {
  const needed = { exam: 5, check: 20, practice: 5 };
  it.each([
    ['is the one that lacks most', {}, [], 'exam'],
    ['keeps an image of an exam elsewhere out of the checks', { exam: 4, practice: 4 }, ['exam'], 'exam'],
    [
      'keeps an image of practice elsewhere out of the checks',
      { exam: 5, practice: 4 },
      ['practice'],
      'practice',
    ],
    ['keeps a check of another stage a check', { check: 19 }, ['check'], 'check'],
    ['leaves no pool empty for that', { exam: 5, practice: 5, check: 2 }, ['exam'], 'check'],
    ['fills exams from checks of other stages at last', { check: 20 }, ['check'], 'exam'],
  ] as const)('%s', (_, counts, elsewhere, pool) => {
    expect(choosePool(needed, counts, elsewhere)).toBe(pool);
  });
});
