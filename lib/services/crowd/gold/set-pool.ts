import { eq, sql } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import type { GoldPool } from '@/db/schema';
import { conflict } from '@/lib/core/errors';
import { type Actor, authoriseThrough } from '@/lib/services/access';
import { record } from '@/lib/services/activity';

const { batches, checks, gold, items, leases } = tables;

/**
 * Moves all gold of an image in a stage to another pool. Gold that was used in practice or in an exam cannot become a
 * check, because its answer may be known.
 */
export async function setGoldPool(
  db: Database,
  actor: Actor,
  { goldId, pool }: { goldId: string; pool: GoldPool },
): Promise<void> {
  const [found] = await db
    .select({ projectId: gold.projectId, stageId: items.stageId, imageId: items.imageId })
    .from(gold)
    .innerJoin(items, eq(items.id, gold.itemId))
    .where(eq(gold.id, goldId));
  const { project } = await authoriseThrough(db, actor, 'gold.write', {
    what: 'gold item',
    projectId: found?.projectId,
  });
  if (!found) return;
  const { stageId, imageId } = found;
  await db.transaction(async (tx) => {
    const held = await tx.execute<{ id: string; pool: GoldPool }>(sql`
      select g.id, g.pool from ${gold} g
      where g.item_id in (select i.id from ${items} i where i.image_id = ${imageId} and i.stage_id = ${stageId})
      order by g.id for no key update`);
    const ids = held.rows.map(({ id }) => id);
    const met = await tx.execute<{ kind: string }>(sql`
      select distinct b.kind from ${checks} c
      join ${leases} l on l.id = c.lease_id join ${batches} b on b.id = l.batch_id
      where c.gold_id = any (${sql.param(ids)}::uuid[])`);
    const kinds = met.rows.map(({ kind }) => kind);
    if (pool !== 'practice' && kinds.includes('practice'))
      throw conflict(
        'Workers have seen the answer to this image in practice. It stays in the practice pool.',
      );
    if (pool === 'check' && kinds.includes('exam'))
      throw conflict('Workers have met this image in an exam. It can be used for exams or practice only.');
    await tx.execute(sql`update ${gold} set pool = ${pool} where id = any (${sql.param(ids)}::uuid[])`);
    await record(tx, {
      actor,
      verb: 'gold.pool',
      subject: 'gold',
      subjectId: goldId,
      projectId: project.id,
      detail: { from: held.rows.find(({ id }) => id === goldId)?.pool, to: pool },
    });
  });
}
