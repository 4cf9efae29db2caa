import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { defaultPolicy } from '@/lib/core/quality/policy';
import { goldImageQuery } from '@/lib/services/crowd/gold/choose-gold';
import { seedQuery } from '@/lib/services/crowd/work/pick-images';
import { useDatabase } from '../../support/database';
import { addGold, addImage, ask, square, worker, workshop } from './workshop';

const db = useDatabase();

it('work is found by the index, whether the planner knows the tables or not', async () => {
  const shop = await workshop(db());
  const { projectId, schemaVersionId } = shop;
  const stageId = shop.stages['part-mask'];
  const imageId = await addImage(db(), projectId);
  await db().execute(sql`
    insert into items (id, project_id, stage_id, image_id, schema_version_id, target)
    select gen_random_uuid(), ${projectId}, ${stageId}, ${imageId}, ${schemaVersionId}, n::text
    from generate_series(1, 20000) n`);
  const workerId = (await worker(db(), shop)).userId;
  for (const known of [false, true]) {
    if (known) await db().execute(sql`analyze`);
    const query = seedQuery({ stageId, workerId, size: 20 });
    const plan = await db().execute<{ 'QUERY PLAN': string }>(sql`explain ${query}`);
    const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toContain('Index Scan using items_to_hand_out');
    expect(text).not.toContain('Seq Scan on items');
  }
});

it('gold is found from gold, also in the first minutes of a stage, when the first batches took seconds', async () => {
  const old = await workshop(db());
  await ask(db(), old, 'object-mask', 5);
  await db().execute(sql`analyze`);
  const shop = await workshop(db());
  const stageId = shop.stages['object-mask'];
  await addGold(db(), shop, 'object-mask', 5, square);
  await ask(db(), shop, 'object-mask', 100);
  const { userId: workerId } = await worker(db(), shop);
  const scope = { projectId: shop.projectId, stageId, workerId, limits: defaultPolicy.gold };
  const plan = await db().execute<{ 'QUERY PLAN': string }>(sql`explain ${goldImageQuery(scope, 5, [])}`);
  const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toContain('Index Scan using items_pkey on items item');
  expect(text).toContain('Index Scan using items_image on items o');
  expect(text).not.toContain('items_question');
});
