import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { tables } from '@/db';
import { getVersion, saveSchema } from '@/lib/services/projects/schema';
import { join, person } from '../../services/access/people';
import { answer, ask, itemOf, marked, take, worker, workshop } from '../../services/crowd/workshop';
import { useDatabase } from '../../support/database';
import { somebodyWaits } from '../../support/meanwhile';
import { withWeather } from './with-weather';

const db = useDatabase();
const { answers, labels, memberships } = tables;

it('an answer that is under way while the schema changes is not taken for one to the new question', async () => {
  const shop = await workshop(db());
  const cora = await person(db(), 'Cora');
  await join(db(), cora, shop.projectId, 'curator');
  await ask(db(), shop, 'attributes', 1);
  const wanda = await worker(db(), shop);
  const [item] = (await take(db(), wanda, shop.stages.attributes)).items;
  const leaseId = item?.leaseId as string;
  let sending: Promise<unknown> | undefined;
  await db().transaction(async (tx) => {
    // Another tab of hers is being served, so the answer waits between its check and its being stored.
    await tx.select().from(memberships).where(eq(memberships.userId, wanda.userId)).for('no key update');
    sending = answer(db(), wanda, leaseId, marked(shop, 'tail', 'white')).catch((error: Error) => error);
    await somebodyWaits(db());
    const { number, document } = await getVersion(db(), shop.projectId);
    await saveSchema(db(), cora, {
      projectId: shop.projectId,
      from: number,
      document: withWeather(document),
      askAgain: true,
    });
  });
  expect(String(await sending)).toContain('Weather');
  expect(await itemOf(db(), leaseId)).toMatchObject({ state: 'open', answered: 0, leased: 0 });
  expect(await db().$count(answers, eq(answers.leaseId, leaseId))).toBe(0);
  expect(await db().$count(labels, eq(labels.projectId, shop.projectId))).toBe(0);
});
