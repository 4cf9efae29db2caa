import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { editSchema } from '@/lib/core/schema';
import type { UserActor } from '@/lib/services/access';
import { submitBatch } from '@/lib/services/crowd/work';
import { decideLabel, type Verdict } from '@/lib/services/curation/audit/decide-label';
import { undoDecision } from '@/lib/services/curation/audit/undo-decision';
import { getVersion, saveSchema } from '@/lib/services/projects/schema';
import { useDatabase } from '../../support/database';
import { audited, currentLabels, decisionsOn, labelOf } from '../curation/audit/rated';
import {
  answer,
  ask,
  doBatch,
  itemsOf,
  marked,
  square,
  take,
  takeTargets,
  type Workshop,
  worker,
} from './workshop';

const db = useDatabase();

/** One picture with its form, which claims these; the first of them is drawn. */
async function filledIn(...claims: string[]) {
  const { shop, curator } = await audited(db());
  const ann = await worker(db(), shop, 'Ann');
  await ask(db(), shop, 'attributes', 1);
  await doBatch(db(), ann, shop.stages.attributes, () => marked(shop, ...claims));
  const [first] = claims;
  const batch = await take(db(), ann, shop.stages['part-mask']);
  const lease = batch.items.find((item) => item.target?.id === first)?.leaseId as string;
  await answer(db(), ann, lease, square);
  await submitBatch(db(), ann, { batchId: batch.id });
  return { shop, curator, ann };
}

const formOf = async (shop: Workshop) => {
  const label = (await currentLabels(db(), shop)).find(({ value }) => value.kind === 'attributes');
  return label?.id ?? '';
};

/** What is asked about parts, by target. */
async function asked(shop: Workshop): Promise<Record<string, string>> {
  const parts = await itemsOf(db(), shop.stages['part-mask']);
  return Object.fromEntries(parts.map(({ target, state }) => [target, state]));
}

async function correct(shop: Workshop, curator: UserActor, ...claims: string[]) {
  const decisionId = newId();
  const verdict: Verdict = { verdict: 'corrected', value: marked(shop, ...claims) };
  const { projectId } = shop;
  await decideLabel(db(), curator, { ...verdict, projectId, labelId: await formOf(shop), decisionId });
  return { projectId, decisionId };
}

describe('a curator corrects a form', () => {
  it('what it no longer says is not asked any more, and its mask is set aside; taken back, all is as before', async () => {
    const { shop, curator } = await filledIn('tail', 'ears');
    const before = await currentLabels(db(), shop);
    const mask = before.find(({ target }) => target === 'tail');
    const correction = await correct(shop, curator, 'mane');
    expect(await asked(shop)).toEqual({ tail: 'withdrawn', ears: 'withdrawn', mane: 'open' });
    expect(await labelOf(db(), mask?.id ?? '')).toMatchObject({ isCurrent: false });
    expect(await decisionsOn(db(), mask?.id ?? '')).toMatchObject([
      { verdict: 'set-aside', rule: 'follows-form', reason: 'The form of the image does not say "tail".' },
    ]);
    await undoDecision(db(), curator, correction);
    expect(await asked(shop)).toEqual({ tail: 'settled', ears: 'open', mane: 'withdrawn' });
    expect((await currentLabels(db(), shop)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    // And once more: what was withdrawn with answers is there again, nothing twice.
    await correct(shop, curator, 'mane');
    expect(await asked(shop)).toEqual({ tail: 'withdrawn', ears: 'withdrawn', mane: 'open' });
  });

  it('whoever is drawing what it no longer says is paid, and the answer does not count', async () => {
    const { shop, curator, ann } = await filledIn('tail', 'ears');
    const bo = await worker(db(), shop, 'Bo');
    const batch = await take(db(), bo, shop.stages['part-mask']);
    await answer(db(), bo, batch.items[0]?.leaseId as string, square);
    await correct(shop, curator, 'mane');
    await submitBatch(db(), bo, { batchId: batch.id });
    expect(await asked(shop)).toMatchObject({ ears: 'withdrawn' });
    const paid = await db().select().from(tables.ledger).where(eq(tables.ledger.workerId, bo.userId));
    expect(paid).toMatchObject([{ kind: 'batch', sourceId: batch.id }]);
    expect((await currentLabels(db(), shop)).map(({ target }) => target)).not.toContain('ears');
    expect(ann.userId).not.toBe(bo.userId);
  });

  it('"nothing to label" agrees with it and stays; claimed anew, somebody has another look', async () => {
    const { shop, curator, ann } = await filledIn('tail', 'ears');
    await doBatch(db(), ann, shop.stages['part-mask'], () => ({ kind: 'nothing' }));
    expect(await asked(shop)).toEqual({ tail: 'settled', ears: 'settled' });
    await correct(shop, curator, 'tail', 'mane');
    expect(await asked(shop)).toEqual({ tail: 'settled', ears: 'settled', mane: 'open' });
    await db().update(tables.labelRisks).set({ reviewedAt: null });
    await correct(shop, curator, 'tail', 'ears');
    expect(await asked(shop)).toEqual({ tail: 'settled', ears: 'open', mane: 'withdrawn' });
  });

  it('a closed stage is asked nothing new, and what no longer follows goes from it all the same', async () => {
    const { shop, curator } = await filledIn('tail', 'ears');
    const { stages } = tables;
    await db().update(stages).set({ state: 'closed' }).where(eq(stages.id, shop.stages['part-mask']));
    await correct(shop, curator, 'tail', 'mane');
    expect(await asked(shop)).toEqual({ tail: 'settled', ears: 'withdrawn' });
  });

  it('while the parts of its picture are handed in, again and again, and nobody waits for ever', async () => {
    const { shop, curator } = await audited(db(), { batchSize: { attributes: 4, masks: 2 } });
    const [ann, bo] = [await worker(db(), shop, 'Ann'), await worker(db(), shop, 'Bo')];
    for (let race = 0; race < 8; race++) {
      await ask(db(), shop, 'attributes', 1);
      await doBatch(db(), ann, shop.stages.attributes, () => marked(shop, 'tail', 'ears', 'mane'));
      const forms = (await currentLabels(db(), shop)).filter(({ value }) => value.kind === 'attributes');
      const labelId = forms.at(-1)?.id ?? '';
      const stageId = shop.stages['part-mask'];
      const batches = [
        { actor: ann, batch: await takeTargets(db(), ann, stageId, ['tail', 'ears']) },
        { actor: bo, batch: await takeTargets(db(), bo, stageId, ['mane']) },
      ];
      for (const { actor, batch } of batches)
        for (const { leaseId } of batch.items)
          await answer(db(), actor, leaseId, race % 2 ? square : { kind: 'nothing' });
      const verdict: Verdict = { verdict: 'corrected', value: marked(shop, 'tail') };
      const about = { projectId: shop.projectId, labelId, decisionId: newId() };
      const done = await Promise.allSettled([
        decideLabel(db(), curator, { ...verdict, ...about }),
        ...batches.map(({ actor, batch }) => submitBatch(db(), actor, { batchId: batch.id })),
      ]);
      // "Nothing" that came first has changed the form: the curator is told. Nobody else is refused.
      expect(done.slice(1).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
      if (done[0]?.status === 'rejected') expect(done[0].reason).toMatchObject({ kind: 'conflict' });
    }
    const inTwo = await db().execute(sql`
      select item_id from labels where project_id = ${shop.projectId} and is_current group by 1 having count(*) > 1`);
    expect(inTwo.rows).toEqual([]);
  });
});

it('a rejection of a form is not taken back once the schema has changed: the form is asked anew', async () => {
  const { shop, curator } = await filledIn('tail');
  const about = { projectId: shop.projectId, labelId: await formOf(shop), decisionId: newId() };
  await decideLabel(db(), curator, { ...about, verdict: 'rejected', reason: 'There is no tail.' });
  const { number, document } = await getVersion(db(), shop.projectId);
  const next = editSchema(document, { do: 'set', list: 'classes', index: 0, fields: { name: 'Lorry' } });
  const { projectId } = shop;
  await saveSchema(db(), curator, { projectId, from: number, document: next, askAgain: false });
  await expect(undoDecision(db(), curator, about)).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('schema was changed'),
  });
});
