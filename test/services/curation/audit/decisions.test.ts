import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { takeBatch } from '@/lib/services/crowd/work';
import { decisionsAbout } from '@/lib/services/crowd/worker';
import { decideLabel, decideLabels, type Verdict } from '@/lib/services/curation/audit/decide-label';
import { countQueue } from '@/lib/services/curation/audit/queue';
import { undoDecision } from '@/lib/services/curation/audit/undo-decision';
import { useDatabase } from '../../../support/database';
import { ask, doBatch, elsewhere, itemsOf, marked, paidTo, square, worker } from '../../crowd/workshop';
import { audited, curatorOf, currentLabels, decisionsOn, labelOf, rateAll, verbsIn } from './rated';

const db = useDatabase();

/** One worker has drawn some objects, and the labels are rated. */
async function drawn(count = 1) {
  const { shop, curator } = await audited(db());
  const ann = await worker(db(), shop, 'Ann');
  await ask(db(), shop, 'object-mask', count);
  await doBatch(db(), ann, shop.stages['object-mask'], () => square);
  await rateAll(db(), shop);
  const labels = await currentLabels(db(), shop);
  const [label] = labels;
  const decide = (verdict: Verdict, decisionId = newId(), actor = curator) =>
    decideLabel(db(), actor, { ...verdict, projectId: shop.projectId, labelId: label?.id ?? '', decisionId });
  const undo = (decisionId: string) => undoDecision(db(), curator, { projectId: shop.projectId, decisionId });
  const waiting = () => countQueue(db(), { projectId: shop.projectId });
  return { shop, curator, ann, labels, label: label as NonNullable<typeof label>, decide, undo, waiting };
}

const why = { verdict: 'rejected', reason: 'The ear is missing.' } as const;

describe('a curator accepts a label', () => {
  it('which leaves the queue, once, however often it is sent', async () => {
    const { shop, label, decide, waiting } = await drawn();
    const decisionId = newId();
    await decide({ verdict: 'accepted' }, decisionId);
    await decide({ verdict: 'accepted' }, decisionId);
    expect(await waiting()).toBe(0);
    expect((await labelOf(db(), label.id)).isCurrent).toBe(true);
    expect((await decisionsOn(db(), label.id)).map((row) => row.verdict)).toEqual(['accepted']);
    expect(await verbsIn(db(), shop)).toEqual(['label.accept']);
  });

  it('and a second curator, who comes later or at the same time, is told who was first', async () => {
    const { shop, decide } = await drawn();
    const cem = await curatorOf(db(), shop, 'Cem');
    const both = await Promise.allSettled([decide({ verdict: 'accepted' }), decide(why, newId(), cem)]);
    const refused = both.filter((each) => each.status === 'rejected');
    expect(refused).toHaveLength(1);
    expect(String(refused[0]?.reason)).toMatch(/(Carla|Cem) has decided about this label/);
  });

  it('but a worker, a researcher or a curator of another project cannot', async () => {
    const { ann, decide } = await drawn();
    const { curator: stranger } = await audited(db());
    for (const actor of [ann, stranger])
      await expect(decide({ verdict: 'accepted' }, newId(), actor)).rejects.toThrow('no such project');
  });
});

describe('a curator rejects a label', () => {
  it('and somebody else is asked; the author reads why and stays paid', async () => {
    const { shop, ann, label, decide } = await drawn();
    const before = await paidTo(db(), ann);
    await decide(why);
    expect((await labelOf(db(), label.id)).isCurrent).toBe(false);
    const [item] = await itemsOf(db(), shop.stages['object-mask']);
    expect(item).toMatchObject({ state: 'open', answered: 0, leased: 0, priority: 10 });
    expect(await paidTo(db(), ann)).toEqual(before);
    expect(await decisionsAbout(db(), ann.userId)).toMatchObject([
      { subject: 'answer', verdict: 'set-aside', reason: 'The ear is missing.', isByRule: false },
    ]);
    expect(await takeBatch(db(), ann, { stageId: shop.stages['object-mask'] })).toBeNull();
    const bo = await worker(db(), shop, 'Bo');
    await doBatch(db(), bo, shop.stages['object-mask'], () => elsewhere);
    const [again] = await currentLabels(db(), shop);
    expect(again).toMatchObject({ source: 'answer', value: elsewhere });
  });

  it('not without a reason', async () => {
    const { decide } = await drawn();
    await expect(decide({ verdict: 'rejected', reason: '  ' })).rejects.toThrow('Give the reason');
  });

  it('of attributes, and what was asked because of them waits', async () => {
    const { shop, curator } = await audited(db());
    const ann = await worker(db(), shop, 'Ann');
    await ask(db(), shop, 'attributes', 1);
    await doBatch(db(), ann, shop.stages.attributes, () => marked(shop, 'ears', 'tail'));
    const [label] = await currentLabels(db(), shop);
    const decisionId = newId();
    const about = { projectId: shop.projectId, labelId: label?.id ?? '', decisionId };
    await decideLabel(db(), curator, { ...about, ...why });
    const states = async () => (await itemsOf(db(), shop.stages['part-mask'])).map((item) => item.state);
    expect(await states()).toEqual(['withdrawn', 'withdrawn']);
    await undoDecision(db(), curator, about);
    expect(await states()).toEqual(['open', 'open']);
  });
});

describe('a curator sends a label back', () => {
  it('with a message to its author, and another person is asked', async () => {
    const { shop, ann, label, decide } = await drawn();
    await decide({ verdict: 'sent-back', reason: 'Please follow the border more closely.' });
    expect((await decisionsOn(db(), label.id))[0]?.verdict).toBe('sent-back');
    const [told] = await decisionsAbout(db(), ann.userId);
    expect(told?.reason).toBe('Please follow the border more closely.');
    expect((await itemsOf(db(), shop.stages['object-mask']))[0]?.state).toBe('open');
  });
});

describe('a curator puts a label right', () => {
  it('and it is the current one, with where it came from; nobody needs to look at it again', async () => {
    const { shop, curator, label, decide, waiting } = await drawn();
    const { newLabelId } = await decide({ verdict: 'corrected', value: elsewhere });
    const [current] = await currentLabels(db(), shop);
    expect(current).toMatchObject({
      id: newLabelId,
      source: 'correction',
      value: elsewhere,
      area: 280,
      confidence: 1,
      provenance: { method: 'curator', labels: [label.id], by: curator.userId },
    });
    await rateAll(db(), shop, true);
    expect(await waiting()).toBe(0);
  });

  it('not with a drawing that covers nothing or does not fit the question', async () => {
    const { shop, decide } = await drawn();
    const outside = {
      kind: 'mask' as const,
      shapes: [{ kind: 'polygon' as const, op: 'add' as const, outer: [-9, -9, -5, -9, -5, -5], holes: [] }],
    };
    await expect(decide({ verdict: 'corrected', value: outside })).rejects.toThrow('covers no pixel');
    await expect(decide({ verdict: 'corrected', value: marked(shop, 'ears') })).rejects.toThrow(
      'asks for mask',
    );
  });

  it('and a part that is not there is no longer claimed', async () => {
    const { shop, curator } = await audited(db());
    const ann = await worker(db(), shop, 'Ann');
    await ask(db(), shop, 'attributes', 1);
    await doBatch(db(), ann, shop.stages.attributes, () => marked(shop, 'ears', 'tail'));
    await doBatch(db(), ann, shop.stages['part-mask'], () => square);
    const { projectId } = shop;
    const tail = async () => (await currentLabels(db(), shop)).find((label) => label.target === 'tail');
    const form = async () =>
      JSON.stringify(
        (await currentLabels(db(), shop)).find((label) => label.value.kind === 'attributes')?.value,
      );
    const decisionId = newId();
    const nothing: Verdict = { verdict: 'corrected', value: { kind: 'nothing' } };
    const labelId = (await tail())?.id ?? '';
    await decideLabel(db(), curator, { projectId, labelId, decisionId, ...nothing });
    expect(await form()).not.toContain('tail');
    expect(await form()).toContain('ears');

    // Taken back, the form claims it again; said once more and then drawn after all, as well.
    await undoDecision(db(), curator, { projectId, decisionId });
    expect(await form()).toContain('tail');
    await decideLabel(db(), curator, { projectId, labelId, decisionId: newId(), ...nothing });
    expect(await form()).not.toContain('tail');
    const denied = (await tail())?.id ?? '';
    await db()
      .update(tables.labelRisks)
      .set({ reviewedAt: null })
      .where(eq(tables.labelRisks.labelId, denied));
    const drawing: Verdict = { verdict: 'corrected', value: square };
    await decideLabel(db(), curator, { projectId, labelId: denied, decisionId: newId(), ...drawing });
    expect(await form()).toContain('tail');
  });

  it('not where the item is gold: people are measured by it', async () => {
    const { shop, label, decide } = await drawn();
    await db().insert(tables.gold).values({
      projectId: shop.projectId,
      itemId: label.itemId,
      value: square,
      mask: label.mask,
      state: 'active',
    });
    await expect(decide({ verdict: 'corrected', value: elsewhere })).rejects.toThrow('This item is gold');
    await decide({ verdict: 'accepted' });
  });
});

describe('the last decision is taken back', () => {
  it.each<Verdict>([
    { verdict: 'accepted' },
    why,
    { verdict: 'sent-back', reason: 'Closer, please.' },
    { verdict: 'corrected', value: elsewhere },
  ])('$verdict: the label is current and waits again, and the author’s answer counts', async (verdict) => {
    const { shop, label, decide, undo, waiting } = await drawn();
    const decisionId = newId();
    await decide(verdict, decisionId);
    await undo(decisionId);
    await undo(decisionId);
    expect((await currentLabels(db(), shop)).map((each) => each.id)).toEqual([label.id]);
    expect(await waiting()).toBe(1);
    const [item] = await itemsOf(db(), shop.stages['object-mask']);
    expect(item).toMatchObject({ state: 'settled', answered: 1 });
    expect((await decisionsOn(db(), label.id)).map((row) => row.verdict)).toEqual([
      'undone',
      verdict.verdict,
    ]);
    // It can be decided anew, and the answer behind it is set aside again.
    await decide(why);
    expect((await itemsOf(db(), shop.stages['object-mask']))[0]).toMatchObject({
      state: 'open',
      answered: 0,
    });
  });

  it('not once somebody was given the item', async () => {
    const { shop, decide, undo } = await drawn();
    const decisionId = newId();
    await decide(why, decisionId);
    await takeBatch(db(), await worker(db(), shop, 'Bo'), { stageId: shop.stages['object-mask'] });
    await expect(undo(decisionId)).rejects.toThrow('Somebody has been given the item since');
  });

  it('not once somebody has answered the item, though it wants another answer still', async () => {
    const { shop, curator } = await audited(db(), { overlap: 2 });
    const stageId = shop.stages['object-mask'];
    await ask(db(), shop, 'object-mask', 1, { overlap: 2 });
    for (const name of ['Ann', 'Bo'])
      await doBatch(db(), await worker(db(), shop, name), stageId, () => square);
    const [label] = await currentLabels(db(), shop);
    const decisionId = newId();
    const { projectId } = shop;
    await decideLabel(db(), curator, { ...why, projectId, labelId: label?.id ?? '', decisionId });
    await doBatch(db(), await worker(db(), shop, 'Cy'), stageId, () => elsewhere);
    await expect(undoDecision(db(), curator, { projectId, decisionId })).rejects.toThrow(
      'Somebody has been given the item since',
    );
    expect(await itemsOf(db(), stageId)).toMatchObject([{ state: 'open', answered: 1, overlap: 2 }]);
  });

  it('not under a later one', async () => {
    const { decide, undo } = await drawn();
    const decisionId = newId();
    await decide({ verdict: 'accepted' }, decisionId);
    await undo(decisionId);
    await decide(why);
    await expect(undo(decisionId)).rejects.toThrow('Something else was decided');
  });
});

describe('many labels at once', () => {
  it('are decided each by itself: one that was decided before does not stop the others', async () => {
    const { shop, curator, labels, decide, waiting } = await drawn(4);
    await decide({ verdict: 'accepted' });
    const decided = await decideLabels(db(), curator, {
      projectId: shop.projectId,
      verdict: 'accepted',
      labels: labels.map(({ id }) => ({ labelId: id, decisionId: newId() })),
    });
    expect(decided.map((each) => each.problem === null)).toEqual([false, true, true, true]);
    expect(decided[0]?.problem).toContain('Carla has decided');
    expect(await waiting()).toBe(0);
    const rows = await db()
      .select()
      .from(tables.labelRisks)
      .where(eq(tables.labelRisks.projectId, shop.projectId));
    expect(rows.every((row) => row.reviewedAt !== null)).toBe(true);
  });
});
