import { and, eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { askAgain, costOfAskingAgain } from '@/lib/services/crowd/trust';
import { takeBatch } from '@/lib/services/crowd/work';
import { decideLabel } from '@/lib/services/curation/audit/decide-label';
import { authorGold } from '@/lib/services/curation/gold';
import { useDatabase } from '../../support/database';
import { tests } from '../access/people';
import { ask, doBatch, elsewhere, itemsOf, square, worker, workshop } from './workshop';

const db = useDatabase();
const { labels } = tables;

/** Wanda has drawn an object. */
async function wandaDrew() {
  const shop = await workshop(db());
  const stageId = shop.stages['object-mask'];
  const wanda = await worker(db(), shop);
  await ask(db(), shop, 'object-mask', 1);
  await doBatch(db(), wanda, stageId, () => square);
  const [item] = await itemsOf(db(), stageId);
  const current = async () =>
    (
      await db()
        .select()
        .from(labels)
        .where(and(eq(labels.projectId, shop.projectId), eq(labels.isCurrent, true)))
    )[0];
  const about = { stageId, workerId: wanda.userId };
  return { shop, stageId, imageId: item?.imageId as string, current, about };
}

it('gold is not handed out as work when somebody is asked again who answered it before it was gold', async () => {
  const { shop, stageId, imageId, about } = await wandaDrew();
  const place = { projectId: shop.projectId, stageId, imageId, target: '' };
  await authorGold(db(), tests, { ...place, value: square, use: true });
  expect(await costOfAskingAgain(db(), tests, about)).toMatchObject({ answers: 0 });
  expect(await askAgain(db(), tests, about)).toEqual({ answers: 0 });
  expect(await itemsOf(db(), stageId)).toMatchObject([{ state: 'settled' }]);
  expect(await takeBatch(db(), await worker(db(), shop, 'Will'), { stageId })).toBeNull();
});

it('what a curator has put right stays when the work of its first author is asked again', async () => {
  const { shop, stageId, current, about } = await wandaDrew();
  await decideLabel(db(), tests, {
    projectId: shop.projectId,
    labelId: (await current())?.id as string,
    decisionId: newId(),
    verdict: 'corrected',
    value: elsewhere,
  });
  expect(await askAgain(db(), tests, about)).toEqual({ answers: 0 });
  expect(await current()).toMatchObject({ source: 'correction', value: elsewhere });
  expect(await itemsOf(db(), stageId)).toMatchObject([{ state: 'settled' }]);
});
