import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { AnswerValue } from '@/lib/core/quality/answer';
import type { DatasetSchema } from '@/lib/core/schema';
import { type Anchor, votesIn } from './merge-votes';
import { hasSeveral, readItems, shuffled } from './read-items';

const { answers, batches, checks, gold, items, leases } = tables;

/** Bounds of what is read beside the items in hand: enough to know a few dozen workers, little to hold. */
const GOLD_ANSWERS = 1000;
const SAMPLE = 200;

type GoldRow = {
  itemId: string;
  schemaVersionId: string;
  workerId: string;
  value: AnswerValue;
  truth: AnswerValue;
};

/**
 * What people answered to gold, whose truth is known, and a sample of ordinary items: with it every chunk of a run
 * believes the same people, and a hundred thousand items need not be held at once.
 */
export async function readAnchor(
  db: Db,
  { stageId, seed, schemas }: { stageId: string; seed: string; schemas: ReadonlyMap<string, DatasetSchema> },
): Promise<Anchor> {
  const found = await db.execute<GoldRow>(sql`
    select a.item_id as "itemId", i.schema_version_id as "schemaVersionId", a.worker_id as "workerId", a.value,
      g.value as truth
    from ${gold} g join ${items} i on i.id = g.item_id join ${checks} c on c.gold_id = g.id
    join ${leases} l on l.id = c.lease_id join ${batches} b on b.id = l.batch_id and b.state <> 'leased'
    join ${answers} a on a.lease_id = l.id
    where i.stage_id = ${stageId} and g.state in ('active', 'retired') and c.passed is not null
    order by a.id desc limit ${GOLD_ANSWERS}`);
  const sample = await readItems(db, {
    where: sql`i.stage_id = ${stageId} and ${hasSeveral}`,
    order: shuffled(seed),
    limit: SAMPLE,
  });
  const votes: Anchor['votes'][number][] = [];
  const truth = new Map<string, string>();
  for (const row of found.rows) {
    const schema = schemas.get(row.schemaVersionId);
    if (!schema) continue;
    votes.push(...votesIn(row.itemId, row, schema));
    const known = { workerId: '', value: row.truth };
    for (const { item, value } of votesIn(row.itemId, known, schema)) truth.set(item, value);
  }
  for (const item of sample) {
    const schema = schemas.get(item.schemaVersionId);
    if (schema) votes.push(...item.answers.flatMap((answer) => votesIn(item.id, answer, schema)));
  }
  return { votes, truth };
}
