import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { listAudit } from '@/lib/services/activity';
import { getAuditLabel } from '@/lib/services/curation/audit/get-audit-label';
import { countQueue, listQueue } from '@/lib/services/curation/audit/queue';
import { predictImages } from '@/lib/services/training/loop/predict-images';
import {
  resetSelection,
  SELECT_JOB,
  SELECTED,
  selectDue,
  selectNext,
  selectSoon,
} from '@/lib/services/training/loop/select-next';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { tests } from '../access/people';
import { ask, doBatch, elsewhere, itemsOf, square, take, worker } from '../crowd/workshop';
import { audited, jobIn, rateAll } from '../curation/audit/rated';
import { promoted } from './loop-model';

useHome();
const db = useDatabase();
const { predictions } = tables;

describe('the audit by the model', () => {
  it('puts first what the model disagrees with, page after page, and leaves the risk alone', async () => {
    const { shop, curator } = await audited(db());
    const ann = await worker(db(), shop, 'Ann');
    const { projectId } = shop;
    await ask(db(), shop, 'part-mask', 3);
    await ask(db(), shop, 'attributes', 1);
    await doBatch(db(), ann, shop.stages['part-mask'], ({ position }) =>
      position === 1 ? elsewhere : square,
    );
    await rateAll(db(), shop, true);
    const before = await listQueue(db(), { projectId, limit: 10 });
    expect(await countQueue(db(), { projectId, order: 'disagreement' })).toBe(0);
    await promoted(db(), shop, curator);
    await rateAll(db(), shop, true);
    const first = await listQueue(db(), { projectId, order: 'disagreement', limit: 1 });
    expect(first.rows[0]?.disagreement).toBe(1);
    const one = await getAuditLabel(db(), { projectId, labelId: first.rows[0]?.labelId ?? '' });
    expect(one.risk?.disagreement).toBe(1);
    const rest = await listQueue(db(), {
      projectId,
      order: 'disagreement',
      limit: 9,
      after: first.next ?? undefined,
    });
    expect(rest.rows).toHaveLength(2);
    expect(rest.rows.every(({ disagreement }) => (disagreement ?? 1) < 0.2)).toBe(true);
    expect(await countQueue(db(), { projectId, order: 'disagreement' })).toBe(3);
    const after = await listQueue(db(), { projectId, limit: 10 });
    expect(after.rows.map(({ risk, labelId }) => [risk, labelId])).toEqual(
      before.rows.map(({ risk, labelId }) => [risk, labelId]),
    );
  });
});

describe('a job that was interrupted after it had seen everything', () => {
  it('has the labels rated when it is taken up again, and a later one that sees nothing new does not', async () => {
    const { shop, curator } = await audited(db());
    const ann = await worker(db(), shop, 'Ann');
    const { projectId } = shop;
    await ask(db(), shop, 'part-mask', 1);
    await doBatch(db(), ann, shop.stages['part-mask'], () => square);
    await promoted(db(), shop, curator);
    const ratings = () =>
      db().$count(
        tables.jobs,
        and(eq(tables.jobs.projectId, projectId), eq(tables.jobs.kind, 'rate-labels')),
      );
    const before = await ratings();
    const [job] = await db()
      .update(tables.jobs)
      .set({ state: 'running', startedAt: new Date(Date.now() - 3_600_000) })
      .where(and(eq(tables.jobs.projectId, projectId), eq(tables.jobs.kind, 'predict-images')))
      .returning();
    const again = { ...jobIn(db()), jobId: job?.id ?? '' };
    expect(await predictImages(again, { projectId })).toMatchObject({ images: 0 });
    expect(await ratings()).toBe(before + 1);
    expect(await predictImages(jobIn(db()), { projectId })).toMatchObject({ images: 0 });
    expect(await ratings()).toBe(before + 1);
  });
});

describe('what to ask next', () => {
  it('is what the model is unsure of, comes first, is written down, and can be taken back', async () => {
    const { shop, curator } = await audited(db(), { batchSize: { attributes: 4, masks: 2 } });
    const { projectId } = shop;
    const stageId = shop.stages['part-mask'];
    await ask(db(), shop, 'part-mask', 6);
    const modelId = await promoted(db(), shop, curator);
    const items = await itemsOf(db(), stageId);
    const unsure = items.slice(3).map(({ imageId }) => imageId);
    for (const [n, { imageId }] of items.entries())
      await db()
        .update(predictions)
        .set({ uncertainty: n >= 3 ? 0.9 : 0.1, feature: [n, 1, 0] })
        .where(and(eq(predictions.modelId, modelId), eq(predictions.imageId, imageId)));
    const told = await selectNext(jobIn(db()), { projectId, stageId, count: 2, author: tests });
    expect(told).toEqual({ images: 2, items: 2 });
    const chosen = (await itemsOf(db(), stageId)).filter(({ priority }) => priority === SELECTED);
    // None that the model is sure of, although these look least like the others.
    expect(chosen).toHaveLength(2);
    for (const { imageId } of chosen) expect(unsure).toContain(imageId);
    const [entry] = await listAudit(db(), { projectId, limit: 1 });
    expect(entry).toMatchObject({
      verb: 'stage.select-next',
      detail: { model: 'Bright', images: 2, items: 2 },
    });
    const wanda = await worker(db(), shop);
    const batch = await take(db(), wanda, stageId);
    const handed = await Promise.all(
      batch.items.map(async ({ leaseId }) => {
        const [lease] = await db().select().from(tables.leases).where(eq(tables.leases.id, leaseId));
        return lease?.itemId;
      }),
    );
    expect(new Set(handed)).toEqual(new Set(chosen.map(({ id }) => id)));
    expect(await resetSelection(db(), curator, { projectId, stageId })).toBe(2);
    expect((await itemsOf(db(), stageId)).every(({ priority }) => priority === 0)).toBe(true);
    expect((await listAudit(db(), { projectId, limit: 1 }))[0]?.verb).toBe('stage.reset-next');
    await expect(resetSelection(db(), curator, { projectId, stageId: newId() })).rejects.toThrow();
  });

  it('is chosen again by itself in a stage that wants it, once all of it is handed out and until it is reset', async () => {
    const { shop, curator } = await audited(db(), { batchSize: { attributes: 4, masks: 2 } });
    const { projectId } = shop;
    const stageId = shop.stages['part-mask'];
    await ask(db(), shop, 'part-mask', 6);
    await promoted(db(), shop, curator);
    const waiting = async () => {
      const found = await db()
        .select()
        .from(tables.jobs)
        .where(and(eq(tables.jobs.projectId, projectId), eq(tables.jobs.state, 'queued')));
      await db()
        .update(tables.jobs)
        .set({ state: 'done', finishedAt: new Date() })
        .where(eq(tables.jobs.projectId, projectId));
      return found.filter(({ kind }) => kind === SELECT_JOB).length;
    };
    const choose = () => selectNext(jobIn(db()), { projectId, stageId, count: 2, author: tests });
    await waiting();
    expect(await selectDue(db())).toBe(0);
    await selectSoon(db(), curator, { projectId, stageId, count: 2, again: true });
    expect(await selectDue(db())).toBe(0);
    expect(await waiting()).toBe(1);
    await choose();
    expect(await selectDue(db())).toBe(0);
    await take(db(), await worker(db(), shop), stageId);
    expect(await selectDue(db())).toBe(1);
    // It waits to be done: nothing is asked for twice.
    expect(await selectDue(db())).toBe(0);
    expect(await waiting()).toBe(1);
    await choose();
    await resetSelection(db(), curator, { projectId, stageId });
    expect(await selectDue(db())).toBe(0);
    // What was sent back is no reason to choose for ever.
    await selectSoon(db(), curator, { projectId, stageId, count: 2, again: true });
    await waiting();
    await db().update(tables.items).set({ priority: 10 }).where(eq(tables.items.stageId, stageId));
    expect(await selectDue(db())).toBe(0);
  });
});
