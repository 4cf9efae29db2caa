import { sql } from 'drizzle-orm';
import type { Database } from '@/db';
import { encodeCounts, rasterizeShapes } from '@/lib/core/mask';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { normalCdf } from '@/lib/core/quality/distributions';
import { junkFor, square, type Target } from './project';
import { colluders, practiceHarvest, reportedItems } from './several-accounts';
import { newcomer, type SeenItem, submit, type Visitor } from './visitor';

/** Suspicion about the items of a batch, by lease; higher means more likely a check. */
export type Suspicion = Map<string, number>;

export interface Attack {
  name: string;
  does: string;
  /** Works through batches and returns its suspicion about their items. */
  run(db: Database, target: Target, rounds: number): Promise<Guess[]>;
}

export interface Guess {
  items: readonly SeenItem[];
  suspicion: Suspicion;
}

export interface Outcome {
  /** Share of the checks among as many of the most suspected items as there are checks. */
  found: number;
  /** The same for random guesses. */
  chance: number;
  checks: number;
  /** Share of the scored checks that the attackers passed; null when none was scored. */
  passed: number | null;
  /** Probability of at least as many hits by random guesses. */
  p: number;
}

/** What the worker's pages show about their work, as one text. */
async function readEverything(visitor: Visitor, batchId: string): Promise<string> {
  const summary = await visitor.json('GET', `/work/batches/${batchId}/summary`);
  const work = await visitor.json<{ stages: unknown[] }>('GET', '/work');
  return JSON.stringify([summary, work])
    .replace(/"leasedUntil":"[^"]*"/g, '')
    .replace(/"answered":\d+/g, '');
}

/** Submits an empty batch, sends its answers one at a time, and looks for any change after each. */
const lateAnswers: Attack = {
  name: 'late-answers',
  does: 'Submits a batch empty, then sends its answers one by one and reads every page after each.',
  async run(db, target, rounds) {
    const guesses: Guess[] = [];
    for (let n = 0; n < rounds; n++) {
      const visitor = await newcomer(db, target);
      const batch = await visitor.take();
      if (!batch) break;
      await submit(visitor, batch.id);
      const suspicion: Suspicion = new Map();
      let before = await readEverything(visitor, batch.id);
      for (const { leaseId } of batch.items) {
        await visitor.answer(leaseId, junkFor(target));
        const after = await readEverything(visitor, batch.id);
        suspicion.set(leaseId, Number(changed(before, after)));
        before = after;
      }
      guesses.push({ items: batch.items, suspicion });
      // Late answers are scored when the next batch ends.
      const next = await visitor.take();
      if (next) await submit(visitor, next.id);
    }
    return guesses;
  },
};

/** The summary counts active time and answers: these move with every answer and are no clue. */
const changed = (before: string, after: string) => plain(before) !== plain(after);
const plain = (text: string) =>
  text.replace(/"activeMs":\d+/g, '').replace(/"hourlyMicro":("?\d+"?|null)/g, '');

/** Leaves one item of each batch open and watches which come back. */
const skippedItems: Attack = {
  name: 'skipped-items',
  does: 'Answers all but some items, submits, and watches which come back.',
  async run(db, target, rounds) {
    const guesses: Guess[] = [];
    const visitors = Math.max(1, Math.ceil(rounds / 5));
    for (let v = 0; v < visitors; v++) {
      const visitor = await newcomer(db, target);
      const skipped: { batch: { id: string; items: SeenItem[] }; left: Set<string> }[] = [];
      const returned = new Set<string>();
      for (let n = 0; n < 6; n++) {
        const batch = await visitor.take();
        if (!batch) break;
        for (const { leaseId } of batch.items)
          if (skipped.some(({ left }) => left.has(leaseId))) returned.add(leaseId);
        const left = new Set(batch.items.filter(() => Math.random() < 0.5).map(({ leaseId }) => leaseId));
        for (const { leaseId } of batch.items)
          if (!left.has(leaseId)) await visitor.answer(leaseId, junkFor(target));
        await submit(visitor, batch.id);
        skipped.push({ batch, left });
      }
      // It is not known yet which items of the last batch come back.
      for (const { batch, left } of skipped.slice(0, -1)) {
        const items = batch.items.filter(({ leaseId }) => left.has(leaseId));
        const suspicion = new Map(items.map(({ leaseId }) => [leaseId, Number(!returned.has(leaseId))]));
        guesses.push({ items, suspicion });
      }
    }
    return guesses;
  },
};

/** Draws one part of each image and compares what is shown beside the rest when it comes back. */
const partialImages: Attack = {
  name: 'partial-images',
  does: 'Draws one part of each image, submits, and compares the neighbours of the returning parts with its own drawing.',
  async run(db, target, rounds) {
    const guesses: Guess[] = [];
    for (let v = 0; v < Math.ceil(rounds / 2); v++) {
      const visitor = await newcomer(db, target);
      const drawn = new Set<string>();
      for (let n = 0; n < 3; n++) {
        const batch = await visitor.take();
        if (!batch) break;
        const back = batch.items.filter(({ leaseId }) => drawn.has(leaseId));
        const suspicion = new Map(back.map((item) => [item.leaseId, strangeNeighbours(item)]));
        if (back.length > 0) guesses.push({ items: back, suspicion });
        const met = new Set<string>();
        for (const item of batch.items) {
          drawn.add(item.leaseId);
          const pixels = await visitor.pixels(item);
          if (!met.has(pixels)) await visitor.answer(item.leaseId, ownDrawing(target));
          met.add(pixels);
        }
        await submit(visitor, batch.id);
      }
    }
    return guesses;
  },
};

const ownDrawing = (target: Target): AnswerValue => (target.kind === 'part-mask' ? square : junkFor(target));

/** Neighbours that are not the one drawing that the attacker made. */
function strangeNeighbours({ neighbours, image: { height, width } }: SeenItem): number {
  const own = encodeCounts(rasterizeShapes(square.shapes, height, width));
  return neighbours.filter(({ counts }) => counts !== own).length + Number(neighbours.length === 0);
}

/** Returns or empties batches and compares the images with those of other batches of its own. */
const revisits = (name: string, does: string, how: 'return' | 'submit'): Attack => ({
  name,
  does,
  async run(db, target, rounds) {
    const guesses: Guess[] = [];
    const visitors = Math.max(1, Math.ceil(rounds / 3));
    for (let v = 0; v < visitors; v++) {
      const visitor = await newcomer(db, target);
      const seen = new Map<string, number>();
      const batches: { items: SeenItem[]; pixels: string[] }[] = [];
      for (let n = 0; n < 4; n++) {
        const batch = await visitor.take();
        if (!batch) break;
        const pixels: string[] = [];
        for (const item of batch.items) pixels.push(await visitor.pixels(item));
        for (const hash of new Set(pixels)) seen.set(hash, (seen.get(hash) ?? 0) + 1);
        batches.push({ items: batch.items, pixels });
        await visitor.json('POST', `/work/batches/${batch.id}/${how}`);
      }
      const often = Math.max(...seen.values(), 1);
      for (const { items, pixels } of batches) {
        // An image that comes back less often than the others was taken by another worker, or it was gold.
        const suspicion = new Map(
          items.map(({ leaseId }, n) => [leaseId, often - (seen.get(pixels[n] as string) ?? 0)]),
        );
        guesses.push({ items, suspicion });
      }
    }
    return guesses;
  },
});

export const attacks: readonly Attack[] = [
  lateAnswers,
  skippedItems,
  partialImages,
  revisits('returns', 'Returns batches and compares the images with those of its other batches.', 'return'),
  revisits('empty-submissions', 'Submits batches empty and compares the images that come back.', 'submit'),
  practiceHarvest,
  reportedItems,
  colluders({
    name: 'two-colluding-accounts',
    does: 'Two accounts compare addresses and headers of what both are shown.',
    usesPixels: false,
    isCareful: false,
  }),
];

/** What identical pixels still reveal; see docs/security.md. */
export const residualAttacks: readonly Attack[] = [
  colluders({
    name: 'identical-pixels',
    does: 'Two accounts that answer carefully compare the pixels of what both are shown.',
    usesPixels: true,
    isCareful: true,
  }),
];

/** Compares guesses with the truth. Ties are broken at random. */
export async function judge(db: Database, guesses: readonly Guess[]): Promise<Outcome> {
  let [hits, expected, variance, checks] = [0, 0, 0, 0];
  const outcomes = new Map<string, boolean>();
  for (const { items, suspicion } of guesses) {
    const truth = await checksAmong(
      db,
      items.map(({ leaseId }) => leaseId),
    );
    for (const [leaseId, passed] of truth) if (passed !== null) outcomes.set(leaseId, passed);
    const count = truth.size;
    checks += count;
    const ranked = items
      .map(({ leaseId }) => ({ leaseId, key: (suspicion.get(leaseId) ?? 0) + Math.random() / 2 }))
      .sort((a, b) => b.key - a.key);
    hits += ranked.slice(0, count).filter(({ leaseId }) => truth.has(leaseId)).length;
    const n = items.length;
    expected += n === 0 ? 0 : (count * count) / n;
    // Hypergeometric: drawing as many items as there are checks.
    variance += n < 2 ? 0 : (count * count * (n - count) ** 2) / (n * n * (n - 1));
  }
  const z = variance === 0 ? 0 : (hits - expected - 0.5) / Math.sqrt(variance);
  const rate = (value: number) => (checks === 0 ? 0 : value / checks);
  const passes = [...outcomes.values()].filter(Boolean).length;
  const passed = outcomes.size === 0 ? null : passes / outcomes.size;
  return { found: rate(hits), chance: rate(expected), checks, passed, p: 1 - normalCdf(z) };
}

/** The checks among leases and whether they were passed, which no worker knows. */
async function checksAmong(db: Database, leaseIds: readonly string[]): Promise<Map<string, boolean | null>> {
  const found = await db.execute<{ id: string; passed: boolean | null }>(sql`
    select lease_id as id, passed from checks where lease_id = any (${sql.param(leaseIds)}::uuid[])`);
  return new Map(found.rows.map(({ id, passed }) => [id, passed]));
}

/** The share of checks that workers pass in projects where everybody answers correctly. */
export async function honestPassRate(db: Database, targets: readonly Target[]): Promise<number | null> {
  const ids = targets.map(({ projectId }) => projectId);
  const found = await db.execute<{ passed: number | null }>(sql`
    select avg(c.passed::int)::float as passed from checks c
    join leases l on l.id = c.lease_id join batches b on b.id = l.batch_id
    where b.project_id = any (${sql.param(ids)}::uuid[]) and c.passed is not null`);
  return found.rows[0]?.passed ?? null;
}
