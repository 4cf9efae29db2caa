import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { tables } from '@/db';
import { editSchema } from '@/lib/core/schema';
import { getVersion, saveSchema } from '@/lib/services/projects/schema';
import { join, person } from '../../services/access/people';
import { ask, doBatch, itemsOf, marked, worker, workshop } from '../../services/crowd/workshop';
import { useDatabase } from '../../support/database';

const db = useDatabase();
const { stages } = tables;

/** Two forms that say "hairy", which a new schema wants drawn. Gives the targets that are then asked about. */
async function drawnFromNowOn(state: 'open' | 'closed'): Promise<string[]> {
  const shop = await workshop(db());
  const wanda = await worker(db(), shop);
  const cora = await person(db(), 'Cora');
  await join(db(), cora, shop.projectId, 'curator');
  await ask(db(), shop, 'attributes', 2);
  await doBatch(db(), wanda, shop.stages.attributes, () => marked(shop, 'tail', 'hairy'));
  await db().update(stages).set({ state }).where(eq(stages.id, shop.stages['part-mask']));
  const { number, document } = await getVersion(db(), shop.projectId);
  const index = document.attributes.findIndex(({ id }) => id === 'hairy');
  const next = editSchema(document, { do: 'set', list: 'attributes', index, fields: { kind: 'localised' } });
  const { projectId } = shop;
  await saveSchema(db(), cora, { projectId, from: number, document: next, askAgain: false });
  return (await itemsOf(db(), shop.stages['part-mask'])).map(({ target }) => target).sort();
}

it('an attribute that is to be drawn from now on is asked of images whose forms say it', async () => {
  expect(await drawnFromNowOn('open')).toEqual(['hairy', 'hairy', 'tail', 'tail']);
});

it('a closed stage is asked nothing that a new schema adds', async () => {
  expect(await drawnFromNowOn('closed')).toEqual(['tail', 'tail']);
});
