import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { tables } from '@/db';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { getAuditLabel } from '@/lib/services/curation/audit/get-audit-label';
import { countQueue, listQueue, queueCounts } from '@/lib/services/curation/audit/queue';
import { rateLabels } from '@/lib/services/curation/audit/rate-labels';
import { useDatabase } from '../../../support/database';
import { mask, past } from '../../crowd/overview/past';
import { statementsOf } from '../../crowd/statements-of';
import { ask, doBatch, elsewhere, marked, square, worker } from '../../crowd/workshop';
import { audited, currentLabels, jobIn, rateAll } from './rated';

const db = useDatabase();

const small: AnswerValue = {
  kind: 'mask',
  shapes: [{ kind: 'polygon', op: 'add', outer: [10, 10, 14, 10, 14, 14, 10, 14], holes: [] }],
};

describe('the audit queue', () => {
  it('has a job waiting as soon as a batch has ended, and one is enough', async () => {
    const { shop } = await audited(db());
    await ask(db(), shop, 'object-mask', 8);
    const ann = await worker(db(), shop, 'Ann');
    await doBatch(db(), ann, shop.stages['object-mask'], () => square);
    await doBatch(db(), ann, shop.stages['object-mask'], () => square);
    const waiting = await db().select().from(tables.jobs).where(eq(tables.jobs.projectId, shop.projectId));
    expect(waiting.map((job) => [job.kind, job.state])).toEqual([['rate-labels', 'queued']]);
    expect(await queueCounts(db(), shop.projectId)).toMatchObject({ labels: 8, reviewed: 0, unrated: 8 });
  });

  it('puts the work of somebody who fails checks before that of somebody who passes them', async () => {
    const { shop } = await audited(db());
    const [good, poor] = [await worker(db(), shop, 'Gus'), await worker(db(), shop, 'Pam')];
    const stage = 'object-mask';
    const checks = (passed: boolean) =>
      ({
        stage,
        answers: Array.from({ length: 8 }, () => ({ check: { passed, score: mask(passed ? 0.9 : 0.2) } })),
      }) as const;
    await past(db(), shop, good, checks(true));
    await past(db(), shop, poor, checks(false));
    await ask(db(), shop, stage, 8);
    await doBatch(db(), good, shop.stages[stage], () => square);
    await doBatch(db(), poor, shop.stages[stage], () => square);
    await rateAll(db(), shop);
    const { rows } = await listQueue(db(), { projectId: shop.projectId, limit: 8 });
    const first = await getAuditLabel(db(), { projectId: shop.projectId, labelId: rows[0]?.labelId ?? '' });
    const last = await getAuditLabel(db(), { projectId: shop.projectId, labelId: rows[7]?.labelId ?? '' });
    expect([first.answers[0]?.worker, last.answers[0]?.worker]).toEqual(['Pam', 'Gus']);
    expect(rows[0]?.risk).toBeGreaterThan(rows[7]?.risk ?? 1);
  });

  it('is filtered by stage, target, warning and class, page after page without gaps', async () => {
    const { shop } = await audited(db());
    const ann = await worker(db(), shop, 'Ann');
    await ask(db(), shop, 'part-mask', 4);
    await ask(db(), shop, 'object-mask', 4);
    let n = 0;
    await doBatch(db(), ann, shop.stages['part-mask'], () => (n++ % 2 ? square : small));
    await doBatch(db(), ann, shop.stages['object-mask'], () => elsewhere);
    expect(await rateAll(db(), shop)).toEqual({ rated: 8 });
    const projectId = shop.projectId;
    expect(await countQueue(db(), { projectId, warning: 'tiny' })).toBe(2);
    expect(await countQueue(db(), { projectId, target: 'long-snout' })).toBe(4);
    expect(await countQueue(db(), { projectId, stageId: shop.stages['object-mask'] })).toBe(4);
    expect(await countQueue(db(), { projectId, className: 'cat' })).toBe(0);
    const counts = await queueCounts(db(), projectId);
    expect(counts).toMatchObject({ labels: 8, unrated: 0 });
    expect(counts.warnings).toContainEqual({ value: 'tiny', n: 2 });
    const seen: string[] = [];
    let after: Awaited<ReturnType<typeof listQueue>>['next'] = null;
    do {
      const page = await listQueue(db(), { projectId, limit: 3, after: after ?? undefined });
      seen.push(...page.rows.map((row) => row.labelId));
      after = page.next;
    } while (after);
    expect(new Set(seen).size).toBe(8);
  });

  it('warns of a marked attribute that nobody is asked to draw, and of a part outside of its object', async () => {
    const { shop } = await audited(db());
    const ann = await worker(db(), shop, 'Ann');
    await ask(db(), shop, 'attributes', 1);
    await doBatch(db(), ann, shop.stages.attributes, () => marked(shop, 'ears', 'tail'));
    await doBatch(db(), ann, shop.stages['object-mask'], () => square);
    await doBatch(db(), ann, shop.stages['part-mask'], () => elsewhere);
    await db().update(tables.items).set({ state: 'withdrawn' }).where(eq(tables.items.target, 'tail'));
    await db().update(tables.labels).set({ isCurrent: false }).where(eq(tables.labels.target, 'tail'));
    await rateAll(db(), shop);
    const { rows } = await listQueue(db(), { projectId: shop.projectId, limit: 10 });
    const warned = Object.fromEntries(rows.map((row) => [row.target || row.kind, row.warnings]));
    expect(warned).toEqual({
      attributes: ['attribute-without-mask'],
      mask: ['four-corners'],
      ears: ['part-outside-object', 'four-corners'],
    });
  });

  it('rates a label again when its picture has a new one, and everything on demand; a cancelled job stops', async () => {
    const { shop } = await audited(db());
    const ann = await worker(db(), shop, 'Ann');
    await ask(db(), shop, 'attributes', 4);
    await doBatch(db(), ann, shop.stages.attributes, () => marked(shop, 'ears'));
    expect(await rateAll(db(), shop)).toEqual({ rated: 4 });
    expect(await rateAll(db(), shop)).toEqual({ rated: 0 });
    await doBatch(db(), ann, shop.stages['object-mask'], () => square);
    expect(await rateAll(db(), shop)).toEqual({ rated: 8 });
    expect(await rateAll(db(), shop, true)).toEqual({ rated: 8 });
    const cancelled = AbortSignal.abort(new Error('cancelled'));
    await expect(
      rateLabels(jobIn(db(), cancelled), { projectId: shop.projectId, all: true }),
    ).rejects.toThrow('cancelled');
  });

  it('takes as many statements for many labels as for few', async () => {
    const { shop } = await audited(db(), { batchSize: { attributes: 20, masks: 20 } });
    const [ann, bo] = [await worker(db(), shop, 'Ann'), await worker(db(), shop, 'Bo')];
    const { projectId } = shop;
    const cost = async () => {
      const rating = await statementsOf(() => rateAll(db(), shop, true));
      const page = await statementsOf(async () => {
        await queueCounts(db(), projectId);
        const { rows } = await listQueue(db(), { projectId, limit: 60 });
        await getAuditLabel(db(), { projectId, labelId: rows[0]?.labelId ?? '' });
      });
      return [rating.length, page.length];
    };
    await ask(db(), shop, 'object-mask', 1);
    await doBatch(db(), ann, shop.stages['object-mask'], () => square);
    await rateAll(db(), shop);
    const few = await cost();
    await ask(db(), shop, 'object-mask', 20, { overlap: 2 });
    await doBatch(db(), ann, shop.stages['object-mask'], () => square);
    await doBatch(db(), bo, shop.stages['object-mask'], () => square);
    expect(await cost()).toEqual(few);
    expect(await currentLabels(db(), shop)).toHaveLength(21);
  });
});

describe('a label in the queue', () => {
  it('shows every answer behind it with its scores', async () => {
    const { shop } = await audited(db(), { overlap: 2, maxOverlap: 2 });
    const [ann, bo] = [await worker(db(), shop, 'Ann'), await worker(db(), shop, 'Bo')];
    await ask(db(), shop, 'object-mask', 1, { overlap: 2 });
    const wider: AnswerValue = {
      kind: 'mask',
      shapes: [{ kind: 'polygon', op: 'add', outer: [10, 10, 50, 10, 50, 30, 10, 30], holes: [] }],
    };
    await doBatch(db(), ann, shop.stages['object-mask'], () => square);
    await doBatch(db(), bo, shop.stages['object-mask'], () => wider);
    await rateAll(db(), shop);
    const [label] = await currentLabels(db(), shop);
    const found = await getAuditLabel(db(), { projectId: shop.projectId, labelId: label?.id ?? '' });
    expect(found.answers.map((answer) => answer.iou).toSorted()).toEqual([0.5, 1]);
    expect(found.answers.every((answer) => (answer.boundaryIou ?? 0) > 0)).toBe(true);
    expect(found.risk).toMatchObject({ agreement: expect.closeTo(0.5, 1), reviewedAt: null });
  });

  it('does not exist in another project', async () => {
    const [{ shop }, other] = [await audited(db()), await audited(db())];
    await ask(db(), shop, 'object-mask', 1);
    await doBatch(db(), await worker(db(), shop, 'Ann'), shop.stages['object-mask'], () => square);
    const [label] = await currentLabels(db(), shop);
    const asked = { projectId: other.shop.projectId, labelId: label?.id ?? '' };
    await expect(getAuditLabel(db(), asked)).rejects.toThrow('no such label');
  });
});
