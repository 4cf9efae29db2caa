import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { attacks, judge } from '@/bench/adversary/active';
import { runAdversary, stageKinds } from '@/bench/adversary/adversary';
import { createTarget } from '@/bench/adversary/project';
import { Visitor } from '@/bench/adversary/visitor';
import { storage } from '@/lib/services/storage';
import { useDatabase } from '../support/database';
import { useHome } from '../support/home';

const db = useDatabase();
useHome();

describe('hidden checks under attack', () => {
  // A short run of `npm run adversary`; the full one is in docs/security.md.
  it('are found by no attack more often than by blind guessing', async () => {
    const { passive, active } = await runAdversary(db(), storage(), { batches: 2, rounds: 2 });
    expect(Object.keys(passive)).toEqual(stageKinds);
    // With so few cases only a blatant leak is sure to be found, and random variation is large.
    for (const { auc } of Object.values(passive)) expect(auc).toBeLessThan(0.85);
    expect(Object.keys(active)).toEqual(attacks.map(({ name }) => name));
    for (const outcome of Object.values(active)) expect(outcome.p).toBeGreaterThan(1e-4);
  }, 300_000);

  it('would be found by an attack that knows them, so the measure can fail', async () => {
    const target = await createTarget(db(), storage(), 'attributes', {
      images: 60,
      gold: { check: 20, exam: 0, practice: 0 },
    });
    const visitor = await Visitor.join(db(), target, { isQualified: true });
    const batch = await visitor.take();
    if (!batch) throw new Error('There is work.');
    const known = await db().execute<{ id: string }>(sql`select lease_id as id from checks`);
    const suspicion = new Map(known.rows.map(({ id }) => [id, 1]));
    const outcome = await judge(db(), [{ items: batch.items, suspicion }]);
    expect(outcome).toMatchObject({ found: 1, checks: 5 });
    expect(outcome.p).toBeLessThan(1e-3);
  });
});
