import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { handOutItems } from '@/lib/crowd/work/hand-out-items';
import { priceIn } from '@/lib/crowd/work/price';
import { defaultPolicy } from '@/lib/quality/default-policy';
import { useDatabase } from '../support/database';
import { addImage, worker, workshop } from './workshop';

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
    const query = handOutItems({
      projectId,
      stageId,
      workerId,
      size: 20,
      hidden: [],
      leaseMinutes: 60,
      price: priceIn(defaultPolicy),
    });
    const plan = await db().execute<{ 'QUERY PLAN': string }>(sql`explain ${query}`);
    const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toContain('Index Scan using items_to_hand_out');
    expect(text).not.toContain('Seq Scan on items');
  }
});
