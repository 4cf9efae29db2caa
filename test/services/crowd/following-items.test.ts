import { and, asc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { causesOfAttribute, type LabelNode } from '@/lib/core/quality/attribution';
import { schemaPreset } from '@/lib/core/schema/presets';
import { askFirstQuestions, submitBatch } from '@/lib/services/crowd/work';
import { firstQuestions, followingQuestions } from '@/lib/services/crowd/work/change-following';
import { useDatabase } from '../../support/database';
import {
  addImage,
  answer,
  ask,
  itemOf,
  itemsOf,
  marked,
  take,
  takeTargets,
  worker,
  workshop,
} from './workshop';

const db = useDatabase();

const labelsOf = (itemId: string) =>
  db()
    .select()
    .from(tables.labels)
    .where(eq(tables.labels.itemId, itemId))
    .orderBy(asc(tables.labels.createdAt));

describe('accepted attributes', () => {
  it('become mask items as soon as the batch ends: one for the object, one for each localised attribute', async () => {
    const shop = await workshop(db(), { overlap: 1 });
    const wanda = await worker(db(), shop);
    await ask(db(), shop, 'attributes', 1, { priority: 3 });
    const batch = await take(db(), wanda, shop.stages.attributes);
    const value = marked(shop, 'tail', 'floppy-ears', 'hairy', 'brown');
    await answer(db(), wanda, batch.items[0]?.leaseId as string, value);
    await submitBatch(db(), wanda, { batchId: batch.id });
    const parts = await itemsOf(db(), shop.stages['part-mask']);
    expect(parts.map((item) => item.target).sort()).toEqual(['floppy-ears', 'tail']);
    const objects = await itemsOf(db(), shop.stages['object-mask']);
    expect(objects.map((item) => item.target)).toEqual(['']);
    for (const item of [...parts, ...objects]) {
      expect(item).toMatchObject({ priority: 3, overlap: 1, schemaVersionId: shop.schemaVersionId });
    }
    const next = await take(db(), wanda, shop.stages['part-mask']);
    expect(next.items).toHaveLength(2);
  });

  it('wait for all the answers that an item wants', async () => {
    const shop = await workshop(db());
    const [wanda, will] = [await worker(db(), shop), await worker(db(), shop, 'Will')];
    await ask(db(), shop, 'attributes', 1, { overlap: 2 });
    const first = await take(db(), wanda, shop.stages.attributes);
    await answer(db(), wanda, first.items[0]?.leaseId as string, marked(shop, 'tail'));
    await submitBatch(db(), wanda, { batchId: first.id });
    expect(await itemOf(db(), first.items[0]?.leaseId as string)).toMatchObject({
      state: 'open',
      answered: 1,
    });
    const second = await take(db(), will, shop.stages.attributes);
    await answer(db(), will, second.items[0]?.leaseId as string, marked(shop, 'tail'));
    await submitBatch(db(), will, { batchId: second.id });
    const item = await itemOf(db(), first.items[0]?.leaseId as string);
    expect(item).toMatchObject({ state: 'settled', answered: 2, leased: 0 });
    expect(await labelsOf(item.id)).toMatchObject([{ source: 'consensus', value: marked(shop, 'tail') }]);
    const parts = await itemsOf(db(), shop.stages['part-mask']);
    expect(parts.map((part) => part.target)).toEqual(['tail']);
  });

  it('ask each thing once, also when two stages of attributes find the same at the same moment', async () => {
    const shop = await workshop(db());
    const [second] = await db()
      .insert(tables.stages)
      .values({ projectId: shop.projectId, kind: 'attributes', name: 'Again', position: 0 })
      .returning();
    for (let race = 0; race < 10; race++) {
      const wanda = await worker(db(), shop, `A${race}`);
      const will = await worker(db(), shop, `B${race}`);
      const [itemId] = await ask(db(), shop, 'attributes', 1);
      const [item] = await db()
        .select()
        .from(tables.items)
        .where(eq(tables.items.id, itemId as string));
      await ask(db(), shop, 'attributes', 1, { imageId: item?.imageId, stageId: second?.id });
      const mine = await take(db(), wanda, shop.stages.attributes);
      const theirs = await take(db(), will, second?.id as string);
      const positives = ['tail', 'ears', 'mane', 'horns'];
      await Promise.all([
        answer(db(), wanda, mine.items[0]?.leaseId as string, marked(shop, ...positives)),
        answer(db(), will, theirs.items[0]?.leaseId as string, marked(shop, ...positives.reverse())),
      ]);
      await Promise.all([
        submitBatch(db(), wanda, { batchId: mine.id }),
        submitBatch(db(), will, { batchId: theirs.id }),
      ]);
      const made = await db()
        .select()
        .from(tables.items)
        .where(
          and(
            eq(tables.items.imageId, item?.imageId as string),
            eq(tables.items.stageId, shop.stages['part-mask']),
          ),
        );
      expect(made.map((entry) => entry.target).sort()).toEqual(['ears', 'horns', 'mane', 'tail']);
    }
  });

  it('of a schema with parts ask for each part of the class of the image', () => {
    const schema = schemaPreset('part-imagenet');
    if (!schema) throw new Error('The preset is there.');
    const className = schema.classes[0]?.id as string;
    const parts = schema.parts.filter((part) => part.classes.includes(className)).map((part) => part.id);
    const asked = followingQuestions(schema, [{ id: 's', kind: 'part-mask' }], className, {});
    expect(asked.map((question) => question.target)).toEqual(parts.sort());
    expect(followingQuestions(schema, [{ id: 's', kind: 'part-mask' }], null, {})).toEqual([]);
  });
});

describe('new images', () => {
  it('are asked about their attributes, once', async () => {
    const shop = await workshop(db(), { overlap: 3 });
    for (let n = 0; n < 3; n++) await addImage(db(), shop.projectId);
    const { projectId } = shop;
    await Promise.all([1, 2].map(() => db().transaction((tx) => askFirstQuestions(tx, { projectId }))));
    await addImage(db(), projectId);
    await db().transaction((tx) => askFirstQuestions(tx, { projectId }));
    const asked = await itemsOf(db(), shop.stages.attributes);
    expect(asked.map(({ target, overlap }) => ({ target, overlap }))).toEqual(
      Array.from({ length: 4 }, () => ({ target: '', overlap: 3 })),
    );
    expect(await itemsOf(db(), shop.stages['object-mask'])).toEqual([]);
  });

  it('of a schema without attributes are asked about their parts straight away', () => {
    const schema = schemaPreset('part-imagenet');
    if (!schema) throw new Error('The preset is there.');
    const stages = [{ id: 's', kind: 'part-mask' as const }];
    const className = schema.classes[0]?.id as string;
    expect(firstQuestions(schema, stages, className)).toEqual(
      followingQuestions(schema, stages, className, {}),
    );
    expect(firstQuestions(schema, stages, className).length).toBeGreaterThan(1);
  });
});

describe('"nothing to label"', () => {
  it('does not make the corrector answerable for the rest of the form', async () => {
    const shop = await workshop(db());
    const [wanda, will] = [await worker(db(), shop), await worker(db(), shop, 'Will')];
    await ask(db(), shop, 'attributes', 1);
    const batch = await take(db(), wanda, shop.stages.attributes);
    const lease = batch.items[0]?.leaseId as string;
    const [filledIn, denied] = [newId(), newId()];
    await answer(db(), wanda, lease, marked(shop, 'tail', 'ears', 'brown'), filledIn);
    await submitBatch(db(), wanda, { batchId: batch.id });
    const parts = await takeTargets(db(), will, shop.stages['part-mask'], ['tail']);
    await answer(db(), will, parts.items[0]?.leaseId as string, { kind: 'nothing' }, denied);
    await submitBatch(db(), will, { batchId: parts.id });

    const stored = await labelsOf((await itemOf(db(), lease)).id);
    const nodes = stored.map(({ id, value, provenance }) => ({
      id,
      value: value as AnswerValue,
      provenance,
    }));
    const sources = {
      label: (id: string) => nodes.find((node) => node.id === id),
      answer: () => marked(shop, 'tail', 'ears', 'brown'),
    };
    const current = nodes.find(({ id }) => stored.find((label) => label.id === id)?.isCurrent) as LabelNode;
    expect(causesOfAttribute(current, 'ears', sources)).toEqual([filledIn]);
    expect(causesOfAttribute(current, 'tail', sources)).toEqual([denied]);
  });

  it('takes the attribute from the label of the image, whose history keeps it and says why', async () => {
    const shop = await workshop(db());
    const wanda = await worker(db(), shop);
    await ask(db(), shop, 'attributes', 1);
    const batch = await take(db(), wanda, shop.stages.attributes);
    const lease = batch.items[0]?.leaseId as string;
    await answer(db(), wanda, lease, marked(shop, 'tail', 'ears', 'text', 'brown'));
    await submitBatch(db(), wanda, { batchId: batch.id });
    const parts = await take(db(), wanda, shop.stages['part-mask']);
    const about = (target: string) =>
      parts.items.find((item) => item.target?.id === target)?.leaseId as string;
    const answerId = newId();
    await answer(db(), wanda, about('tail'), { kind: 'nothing' }, answerId);
    await submitBatch(db(), wanda, { batchId: parts.id });

    const attributeItem = await itemOf(db(), lease);
    const [old, current] = await labelsOf(attributeItem.id);
    expect(old).toMatchObject({ isCurrent: false, value: marked(shop, 'tail', 'ears', 'text', 'brown') });
    expect(current).toMatchObject({
      isCurrent: true,
      value: marked(shop, 'ears', 'text', 'brown'),
      provenance: {
        labels: [old?.id],
        answers: old?.provenance.answers,
        removed: ['tail'],
        removedBy: [answerId],
      },
    });
    const decided = await db()
      .select()
      .from(tables.decisions)
      .where(eq(tables.decisions.subjectId, old?.id as string));
    expect(decided).toMatchObject([{ subject: 'label', verdict: 'false-positive', evidence: [answerId] }]);
    const [nothing] = await labelsOf((await itemOf(db(), about('tail'))).id);
    expect(nothing).toMatchObject({
      value: { kind: 'nothing' },
      mask: null,
      provenance: { falsePositive: { attribute: 'tail', label: old?.id } },
    });

    // The last of a group leaves "none" behind; two at once each see what the other took.
    const taken = [];
    for (const [name, target] of [
      ['Will', 'ears'],
      ['Wes', 'text'],
    ] as const) {
      const actor = await worker(db(), shop, name);
      taken.push({ actor, batch: await takeTargets(db(), actor, shop.stages['part-mask'], [target]) });
    }
    expect(taken.map(({ batch: own }) => own.items.map((item) => item.target?.id))).toEqual([
      ['ears'],
      ['text'],
    ]);
    for (const { actor, batch: own } of taken)
      await answer(db(), actor, own.items[0]?.leaseId as string, { kind: 'nothing' });
    await Promise.all(taken.map(({ actor, batch: own }) => submitBatch(db(), actor, { batchId: own.id })));
    const last = (await labelsOf(attributeItem.id)).find((label) => label.isCurrent);
    expect(last?.value).toEqual(marked(shop, 'brown'));
  });

  it('about a part or an object that no attribute claims is only a label', async () => {
    const shop = await workshop(db());
    const wanda = await worker(db(), shop);
    await ask(db(), shop, 'part-mask', 1);
    const batch = await take(db(), wanda, shop.stages['part-mask']);
    const lease = batch.items[0]?.leaseId as string;
    await answer(db(), wanda, lease, { kind: 'nothing' });
    await submitBatch(db(), wanda, { batchId: batch.id });
    const [label] = await labelsOf((await itemOf(db(), lease)).id);
    expect(label?.provenance).not.toHaveProperty('falsePositive');
  });
});
