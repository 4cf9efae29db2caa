import { setTimeout } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import type { batchKinds } from '@/db/schema';
import { notFound } from '@/lib/core/errors';
import type { Policy } from '@/lib/core/quality/policy';
import { requireScope, type UserActor } from '@/lib/services/access';
import { placeChecks } from '../checks/place-checks';
import { takeExam, takePractice } from '../exams/take-exam';
import { endRefresher } from '../trust/end-refresher';
import { closeBatches } from './close-batches';
import { effectivePolicy } from './effective-policy';
import { renewLease } from './end-batch';
import { gateTo, itemsLeft, requireOpen, stateGate, type Wanted } from './gate';
import { membershipOf } from './own-work';
import { drawsMasks, priceIn } from './pay-for';
import { pickImages } from './pick-images';
import { type WorkerFacts, workerFacts } from './worker-facts';
import { writeWorkBatch } from './write-batch';

const { batches, memberships, projects, stages, items, leases, models, predictions, suggestions } = tables;

export interface TakenBatch {
  id: string;
  leasedUntil: Date;
  kind: (typeof batchKinds)[number];
}

/** Nothing is handed out yet: expired batches were closed, and that is committed first. */
const RECLAIMED = 'reclaimed';
/** Nothing is handed out because concurrent transactions had locked what was left. */
const CONTENDED = 'contended';
const MAX_ATTEMPTS = 5;
const RETRY_MS = 20;

/**
 * The worker's open batch of a stage, whatever its kind, or a new one of the kind they ask for; null when
 * nothing is left for them. A gate that is closed is a conflict that names it.
 */
export async function takeBatch(
  db: Database,
  actor: UserActor,
  input: { stageId: string; kind?: Wanted },
): Promise<TakenBatch | null> {
  let reclaims = true;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const taken = await db.transaction((tx) => tryTake(tx, actor, input, reclaims));
    if (taken === RECLAIMED) reclaims = false;
    else if (taken === CONTENDED) await setTimeout(RETRY_MS * attempt);
    else return taken;
  }
  return null;
}

/**
 * What is reclaimed is a transaction by itself: it looks at gold that was shown, and who holds gold must not wait for
 * the gold that is chosen next, or two takers would wait for each other.
 */
async function tryTake(
  tx: Transaction,
  actor: UserActor,
  input: { stageId: string; kind?: Wanted },
  reclaims: boolean,
): Promise<TakenBatch | typeof RECLAIMED | typeof CONTENDED | null> {
  await holdProject(tx, actor, input.stageId);
  const { stage, policy } = await holdStage(tx, actor, input.stageId);
  // One that ran out and that nobody reclaimed is still theirs. Who withdraws consent has none.
  const open = await renewLease(tx, openBatchOf(actor, input.stageId), policy.leaseMinutes);
  if (open) return open;
  if (reclaims && (await reclaimBatches(tx, stage, policy)) > 0) return RECLAIMED;
  // Read last: whoever reclaimed a batch of this worker while we waited may have decided about them.
  const [facts] = await workerFacts(tx, actor.userId, sql`s.id = ${input.stageId}`);
  if (!facts) throw notFound('stage');
  const wanted = wantedOf(input.kind ?? 'work', facts);
  requireOpen(gateTo(wanted, facts, policy, new Date()));
  return take(tx, actor.userId, wanted, facts, policy);
}

/** Practice is what leads on: before the exam, or back to work. */
const wantedOf = (kind: Wanted, { standing }: WorkerFacts): Wanted =>
  kind === 'practice' && standing === 'refresher' ? 'refresher' : kind;

/** Shared with other takers: whoever changes the schema ends the running batches, and none begins meanwhile. */
async function holdProject(tx: Transaction, actor: UserActor, stageId: string): Promise<void> {
  requireScope(actor, 'work.take');
  await tx
    .select({ id: projects.id })
    .from(projects)
    .innerJoin(stages, eq(stages.projectId, projects.id))
    .innerJoin(memberships, membershipOf(projects.id, actor.userId))
    .where(eq(stages.id, stageId))
    .for('share', { of: projects });
}

/** The stage, while the worker's membership is locked: two tabs that ask at once get the same batch. */
async function holdStage(tx: Transaction, actor: UserActor, stageId: string) {
  const [found] = await tx
    .select({ stage: stages, projectState: projects.state, projectPolicy: projects.policy })
    .from(stages)
    .innerJoin(projects, eq(projects.id, stages.projectId))
    .innerJoin(memberships, membershipOf(projects.id, actor.userId))
    .where(eq(stages.id, stageId))
    .for('no key update', { of: memberships });
  if (!found) throw notFound('stage');
  const { stage, projectState, projectPolicy } = found;
  requireOpen(stateGate({ projectState, stageState: stage.state, stageName: stage.name }));
  return { stage, policy: effectivePolicy(projectPolicy, stage.policy) };
}

const openBatchOf = (actor: UserActor, stageId: string) =>
  and(eq(batches.stageId, stageId), eq(batches.workerId, actor.userId), eq(batches.state, 'leased'));

async function take(tx: Transaction, workerId: string, wanted: Wanted, facts: WorkerFacts, policy: Policy) {
  switch (wanted) {
    case 'work':
      return takeWork(tx, workerId, facts, policy);
    case 'exam':
      return takeExam(tx, workerId, facts, policy);
    case 'practice':
      return takePractice(tx, workerId, wanted, facts, policy);
    case 'refresher': {
      const batch = await takePractice(tx, workerId, wanted, facts, policy);
      if (!batch) await endRefresher(tx, { ...facts, workerId });
      return batch;
    }
  }
}

async function takeWork(
  tx: Transaction,
  workerId: string,
  facts: WorkerFacts,
  policy: Policy,
): Promise<TakenBatch | typeof CONTENDED | null> {
  const { projectId, stageId, stageKind, since, doneInAll, pausedTargets } = facts;
  const usual = drawsMasks(stageKind) ? policy.batchSize.masks : policy.batchSize.attributes;
  const size = Math.min(usual, itemsLeft(facts, policy) ?? usual);
  const where = { projectId, stageId, workerId };
  const { images, isContended } = await pickImages(tx, { stageId, workerId, size, pausedTargets });
  if (images.length === 0) return isContended ? CONTENDED : null;
  const placed = await placeChecks(tx, {
    ...where,
    images,
    since,
    itemsDone: doneInAll,
    pausedTargets,
    limits: policy.gold,
    policy,
  });
  const batch = await writeWorkBatch(
    tx,
    { ...where, kind: 'work', leaseMinutes: policy.leaseMinutes, price: priceIn(policy) },
    placed,
  );
  if (drawsMasks(stageKind)) await drawSuggestions(tx, { projectId, batchId: batch.id }, policy.suggestions);
  return batch;
}

/**
 * Decides once for each lease of a new batch whether the promoted model's outline is shown or withheld. The draw is a
 * hash of the ids of lease and model: it can be made again by whoever knows both, and nothing about the item goes into
 * it, so a check gets an outline as often as any other item. For the same reason a batch with a picture that the model
 * has not seen gets none at all: otherwise new pictures would stand out from gold.
 */
async function drawSuggestions(
  tx: Transaction,
  { projectId, batchId }: { projectId: string; batchId: string },
  policy: Policy['suggestions'],
): Promise<void> {
  if (!policy.isOn) return;
  await tx.execute(sql`
    with handed as materialized (
      select l.id, i.image_id, i.target, m.id as model_id
      from ${leases} l
      join ${items} i on i.id = l.item_id
      cross join (
        select id from ${models} where project_id = ${projectId} and state = 'promoted' order by id desc limit 1) m
      where l.batch_id = ${batchId}
    )
    insert into ${suggestions} (lease_id, model_id, state)
    select h.id, h.model_id, case when ${drawn} < ${policy.withheld}::float then 'withheld' else 'shown' end
    from handed h
    join ${predictions} p on p.model_id = h.model_id and p.image_id = h.image_id and p.masks ? h.target
    where not exists (
      select 1 from handed o where not exists (
        select 1 from ${predictions} q where q.model_id = o.model_id and q.image_id = o.image_id))
    on conflict (lease_id) do nothing`);
}

/** Evenly between 0 and 1, from the first 32 bits of a hash. Workers never learn the id of a model. */
const drawn = sql`
  (('x' || substr(md5(h.id::text || h.model_id::text), 1, 8))::bit(32)::bigint / 4294967296.0)`;

/** Batches reclaimed by one taker: enough to keep up with a crowd that leaves, little enough to stay quick. */
const RECLAIMED_AT_ONCE = 10;

/**
 * Ends batches whose time is over, the oldest first, unless somebody is at them at this moment. Nobody waits for
 * the items of an exam or of practice: whoever lost their connection there has another day. Gives how many there were.
 */
async function reclaimBatches(
  tx: Transaction,
  stage: Pick<typeof stages.$inferSelect, 'id' | 'kind'>,
  policy: Policy,
): Promise<number> {
  const expired = await tx
    .select()
    .from(batches)
    .where(
      and(
        eq(batches.stageId, stage.id),
        sql`state = 'leased' and leased_until < now()
          and (kind = 'work' or leased_until < now() - interval '1 day')`,
      ),
    )
    .orderBy(batches.leasedUntil)
    .limit(RECLAIMED_AT_ONCE)
    .for('no key update', { skipLocked: true });
  if (expired.length > 0)
    await closeBatches(tx, { batches: expired, state: 'expired', stageKind: stage.kind, policy });
  return expired.length;
}
