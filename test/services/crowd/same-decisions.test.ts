import { asc, eq, inArray, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { newId, type Transaction, tables } from '@/db';
import { groupBy } from '@/lib/core/quality/group-by';
import type { WorkerHistory } from '@/lib/core/quality/history';
import { dryRun, judgeBatch } from '@/lib/core/quality/judge';
import { defaultRules } from '@/lib/core/quality/rules';
import { createRng, type Rng } from '@/lib/demo/scenes/prng';
import { crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import { stageHistories } from '@/lib/services/crowd/overview/try-rules';
import { decideAboutWorker } from '@/lib/services/crowd/trust/apply-decision';
import { endRefresher } from '@/lib/services/crowd/trust/end-refresher';
import { rulesInForce } from '@/lib/services/crowd/trust/rules-in-force';
import { useDatabase } from '../../support/database';
import { addImage, type Workshop, workshop } from './workshop';

const db = useDatabase();

const WORKERS = 1000;
const PARTS = ['ears', 'tail'] as const;
const IMAGES = 5;
/** Few enough that nobody knows yet what trusted people reach on a gold item. */
const WORKERS_PER_GOLD = 5;
const HOUR_MS = 3_600_000;

type Item = { itemId: string; goldId: string; target: string };

/** Larger errors than usual, so that short histories hold every kind of decision. */
const rules = defaultRules.map(({ id, params }) => {
  if (id === 'target-checks') return { id, params: { ...params, error: 0.5, retrainError: 0.5 } };
  return id === 'failed-checks' ? { id, params: { ...params, error: 0.1 } } : { id, params };
});

async function insertAll<Row>(rows: Row[], insert: (chunk: Row[]) => PromiseLike<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += 1000) await insert(rows.slice(from, from + 1000));
}

/** Gold for one batch of each group of workers. One image stands for all pictures: nobody looks at them here. */
async function writeGold(shop: Workshop, groups: number): Promise<Item[][]> {
  const template = await addImage(db(), shop.projectId);
  const [image] = await db().select().from(tables.images).where(eq(tables.images.id, template));
  if (!image) throw new Error('The image was written.');
  const imageIds = Array.from({ length: groups * IMAGES }, () => newId());
  const made = imageIds.flatMap((imageId) =>
    PARTS.map((target) => ({ imageId, target, itemId: newId(), goldId: newId() })),
  );
  const { projectId, schemaVersionId } = shop;
  const stageId = shop.stages['part-mask'];
  await insertAll(imageIds, (ids) =>
    db()
      .insert(tables.images)
      .values(ids.map((id) => ({ ...image, id, sourceSha256: `${id}${id}`.replaceAll('-', '') }))),
  );
  await insertAll(made, (rows) =>
    db()
      .insert(tables.items)
      .values(
        rows.map(({ itemId, imageId, target }) => ({
          id: itemId,
          projectId,
          stageId,
          imageId,
          schemaVersionId,
          target,
          state: 'settled' as const,
          answered: 1,
        })),
      ),
  );
  await insertAll(made, (rows) =>
    db()
      .insert(tables.gold)
      .values(
        rows.map(({ goldId, itemId }) => ({
          id: goldId,
          projectId,
          itemId,
          value: {},
          state: 'active' as const,
        })),
      ),
  );
  const perGroup = IMAGES * PARTS.length;
  return Array.from({ length: groups }, (_, n) => made.slice(n * perGroup, (n + 1) * perGroup));
}

const drawing = (corners: number, size: number) => ({
  kind: 'mask' as const,
  shapes: [
    {
      kind: 'polygon' as const,
      op: 'add' as const,
      outer: Array.from({ length: corners }, (_, i) => {
        const angle = (2 * Math.PI * i) / corners;
        return [30 + size * Math.cos(angle), 24 + size * Math.sin(angle)];
      }).flat(),
      holes: [],
    },
  ],
});

/** How somebody works: how often they pass each part, how fast they are, and what they draw. */
function habitsOf(rng: Rng) {
  const skills = [0.05, 0.3, 0.6, 0.9, 0.97];
  return {
    passes: { ears: rng.pick(skills), tail: rng.pick(skills) },
    ms: rng.pick([500, 4000, 30_000]),
    corners: rng.pick([4, 12]),
    isPasting: rng.bernoulli(0.05),
    saysNothing: rng.bernoulli(0.1),
  };
}

type Habits = ReturnType<typeof habitsOf>;

/** Batches of everybody, done at the given moment, as the rows that closing them would have left. */
async function writeBatches(
  shop: Workshop,
  people: { id: string; habits: Habits; items: Item[]; batchId: string }[],
  at: number,
  rng: Rng,
): Promise<void> {
  const { projectId } = shop;
  const stageId = shop.stages['part-mask'];
  const rows = people.flatMap(({ id: workerId, habits, items, batchId }) =>
    items.map(({ itemId, goldId, target }, position) => {
      const passed = rng.bernoulli(habits.passes[target as (typeof PARTS)[number]]);
      const level = passed ? rng.between(0.6, 0.95) : rng.between(0, 0.45);
      const value = habits.saysNothing
        ? ({ kind: 'nothing' } as const)
        : drawing(habits.corners, habits.isPasting ? 10 : rng.between(4, 20));
      const createdAt = new Date(at + 1000 * position);
      const leaseId = newId();
      return {
        lease: { id: leaseId, batchId, itemId, workerId, position, state: 'answered' as const },
        answer: {
          id: newId(),
          leaseId,
          itemId,
          workerId,
          value,
          activeMs: Math.round(habits.ms * rng.between(0.8, 1.2)),
          createdAt,
        },
        check: { leaseId, goldId, workerId, passed, score: { level, iou: level }, scoredAt: createdAt },
      };
    }),
  );
  const state = 'submitted' as const;
  await insertAll(people, (chunk) =>
    db()
      .insert(tables.batches)
      .values(
        chunk.map(({ id, batchId }) => ({
          id: batchId,
          projectId,
          stageId,
          workerId: id,
          kind: 'work' as const,
          state,
          leasedUntil: new Date(at),
          submittedAt: new Date(at),
        })),
      ),
  );
  await insertAll(rows, (chunk) =>
    db()
      .insert(tables.leases)
      .values(chunk.map(({ lease }) => lease)),
  );
  await insertAll(rows, (chunk) =>
    db()
      .insert(tables.answers)
      .values(chunk.map(({ answer }) => answer)),
  );
  await insertAll(rows, (chunk) =>
    db()
      .insert(tables.checks)
      .values(chunk.map(({ check }) => check)),
  );
}

/** Sorts after every id that is made now: the pool of times is that of the newest batches, and stays the same. */
const lateId = (n: number) => `ffffffff-ffff-7fff-bfff-${n.toString(16).padStart(12, '0')}`;

describe('production, a dry run and the simulator', () => {
  it('make the same decisions on 1,000 recorded histories', async () => {
    const shop = await workshop(db(), {}, rules);
    const stageId = shop.stages['part-mask'];
    const rng = createRng(12);
    const ids = Array.from({ length: WORKERS + 1 }, () => newId());
    await insertAll(ids, (chunk) =>
      db()
        .insert(tables.users)
        .values(chunk.map((id) => ({ id, name: `Worker ${id.slice(-6)}`, email: `${id}@example.org` }))),
    );
    const [filler, ...workers] = ids as [string, ...string[]];
    const careful = { ...habitsOf(rng), ms: 20_000, corners: 12, isPasting: false, saysNothing: false };
    const fillerGold = await writeGold(shop, 40);
    await writeBatches(
      shop,
      fillerGold.map((items, n) => ({
        id: filler,
        habits: careful,
        items: items.slice(0, 2),
        batchId: lateId(n),
      })),
      Date.now() - 48 * HOUR_MS,
      rng,
    );
    const people = workers.map((id) => ({ id, habits: habitsOf(rng) }));
    const stages = await crowdStages(db(), { id: shop.projectId, policy: {} });
    const policy = stages.find(({ id }) => id === stageId)?.policy;
    if (!policy) throw new Error('The stage has a policy.');
    const about = { projectId: shop.projectId, stageId, stageKind: 'part-mask' as const, policy };
    // The second round lies after the decisions of the first.
    for (const at of [Date.now() - HOUR_MS, Date.now() + HOUR_MS]) {
      const gold = await writeGold(shop, WORKERS / WORKERS_PER_GOLD);
      const round = people.map((person, n) => ({
        ...person,
        items: gold[Math.floor(n / WORKERS_PER_GOLD)] ?? [],
        batchId: newId(),
      }));
      await writeBatches(shop, round, at, rng);
      // Rows that came at once have no statistics yet, and the planner would scan all of them for each worker.
      await db().execute(sql`analyze`);
      await db().transaction((tx) => decideAboutAll(tx, workers, about));
    }

    const histories = (await stageHistories(db(), shop.projectId, stages)).filter(
      ({ workerId }) => workerId !== filler,
    );
    const inForce = await rulesInForce(db(), shop.projectId);
    const runs = dryRun(histories, inForce);
    expect(runs).toHaveLength(WORKERS);
    const decided = await db()
      .select()
      .from(tables.decisions)
      .where(inArray(tables.decisions.subjectId, workers))
      .orderBy(asc(tables.decisions.id));
    const made = groupBy(decided, ({ subjectId }) => subjectId);
    const kinds = new Set<string>();
    for (const { history, steps } of runs) {
      const inProduction = (made.get(history.workerId) ?? [])
        .filter(({ verdict }) => verdict !== 'refreshed')
        .map(({ verdict, target, rule, reason, evidence }) => ({ verdict, target, rule, reason, evidence }));
      const inDryRun = steps.map(({ judgement: { ruleVersion: _, ...judgement } }) => judgement);
      expect(inProduction).toEqual(inDryRun);
      // The simulator lives through the same batches by the function that it decides with (memory/decide.ts).
      let lived: WorkerHistory = history;
      const inSimulation = (history.batchEnds ?? []).flatMap((at) => {
        const known = ({ at: when }: { at: Date }) => when <= at;
        lived = { ...lived, answers: history.answers.filter(known), checks: history.checks.filter(known) };
        const step = judgeBatch(lived, inForce, at);
        if (!step) return [];
        lived = step.after;
        const { ruleVersion: _, ...rest } = step.judgement;
        return [rest];
      });
      expect(inSimulation).toEqual(inDryRun);
      for (const { verdict, target } of inDryRun)
        kinds.add(`${verdict} ${target === null ? 'stage' : 'part'}`);
    }
    expect([...kinds].sort()).toEqual([
      'hint stage',
      'pause part',
      'pause stage',
      'refresher part',
      'refresher stage',
    ]);
  }, 300_000);
});

async function decideAboutAll(
  tx: Transaction,
  workers: readonly string[],
  about: Omit<Parameters<typeof decideAboutWorker>[1], 'workerId'>,
): Promise<void> {
  for (const workerId of workers) {
    await decideAboutWorker(tx, { ...about, workerId });
    await endRefresher(tx, { ...about, workerId });
  }
}
