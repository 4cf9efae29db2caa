import { sql } from 'drizzle-orm';
import type { Database } from '@/db';
import { forEachConcurrently } from '@/lib/core/concurrency';
import { type Auc, type Case, crossValidatedAuc, featuresOf, type Observation } from './classifier';
import type { Target } from './project';
import { Visitor } from './visitor';

const BATCHES_PER_WORKER = 10;
/** Workers who work at the same time. */
const AT_ONCE = 2;
/** Items that a worker leaves open or batches that they return, as real people do. */
const SKIPPED = 0.04;
const RETURNED = 0.03;

/**
 * Watches workers do ordinary batches and tries to tell checks from other items by everything visible. It is tested on
 * projects that it was not trained on: what it learns is how gold looks, not which images are gold.
 */
export async function attackPassively(
  db: Database,
  targets: readonly Target[],
  batchesPerTarget: number,
): Promise<Auc> {
  const cases: Case[] = [];
  await forEachConcurrently(AT_ONCE, targets, async (target) => {
    for (const observation of await watch(db, target, batchesPerTarget))
      cases.push({
        features: featuresOf(observation),
        group: target.projectId,
        stratum: observation.batch,
        isPositive: observation.isCheck,
      });
  });
  return crossValidatedAuc(cases, Math.random);
}

async function watch(db: Database, target: Target, batches: number): Promise<Observation[]> {
  const observations: Observation[] = [];
  for (let done = 0; done < batches; ) {
    const visitor = await Visitor.join(db, target, { isQualified: true });
    for (let n = 0; n < BATCHES_PER_WORKER && done < batches; n++) {
      const seen = await watchBatch(db, visitor);
      if (!seen) break;
      observations.push(...seen);
      done += 1;
    }
  }
  return observations;
}

async function watchBatch(db: Database, visitor: Visitor): Promise<Observation[] | null> {
  const batch = await visitor.take();
  if (!batch) return null;
  const checks = await checkLeases(db, batch.id);
  const itemOf = await itemsOf(db, batch.id);
  const seen: Observation[] = [];
  const isReturned = Math.random() < RETURNED;
  for (const item of batch.items) {
    const image = await visitor.request('GET', item.image.working.url);
    const path = `/api/v1/work/leases/${item.leaseId}`;
    const draft = await visitor.request('PUT', `${path}/draft`, { revision: 0, document: { a: 1 } });
    const truth = visitor.target.truth.get(itemOf.get(item.leaseId) ?? '');
    if (!truth) throw new Error('Every item of the target has a known truth.');
    const isSkipped = isReturned || Math.random() < SKIPPED;
    const answer = isSkipped ? draft : await visitor.answer(item.leaseId, truth);
    seen.push({
      batch: batch.id,
      item,
      siblings: batch.items,
      image,
      draft,
      answer,
      isCheck: checks.has(item.leaseId),
    });
  }
  await visitor.json('POST', `/work/batches/${batch.id}/${isReturned ? 'return' : 'submit'}`);
  return seen;
}

/** The truth about a batch, which no worker has. */
export async function checkLeases(db: Database, batchId: string): Promise<Set<string>> {
  const found = await db.execute<{ id: string }>(sql`
    select l.id from leases l join checks c on c.lease_id = l.id where l.batch_id = ${batchId}`);
  return new Set(found.rows.map(({ id }) => id));
}

export async function itemsOf(db: Database, batchId: string): Promise<Map<string, string>> {
  const found = await db.execute<{ id: string; itemId: string }>(sql`
    select l.id, l.item_id as "itemId" from leases l where l.batch_id = ${batchId}`);
  return new Map(found.rows.map(({ id, itemId }) => [id, itemId]));
}
