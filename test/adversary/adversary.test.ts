import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { attacks, judge } from '@/bench/adversary/active';
import { runAdversary, stageKinds } from '@/bench/adversary/adversary';
import { createTarget } from '@/bench/adversary/project';
import { Visitor } from '@/bench/adversary/visitor';
import { storage } from '@/lib/services/storage';
import { useDatabase } from '../support/database';
import { useHome } from '../support/home';

const db = useDatabase();
useHome();

/** What `npm run adversary -- --json` prints. */
const Shape = z.object({
  passive: z.record(z.string(), z.object({ auc: z.number(), low: z.number(), high: z.number() })),
  active: z.record(
    z.string(),
    z.object({ found: z.number(), chance: z.number(), p: z.number(), passed: z.number().nullable() }),
  ),
  honest: z.number(),
});

describe('hidden checks under attack', () => {
  // A short run of `npm run adversary`; the full one is in docs/security.md.
  it('are found by no attack more often than by blind guessing', async () => {
    const findings = await runAdversary(db(), storage(), { batches: 2, rounds: 2 });
    const { passive, active, honest } = Shape.parse(JSON.parse(JSON.stringify(findings)));
    expect(Object.keys(passive)).toEqual(stageKinds);
    // With so few cases only a blatant leak is sure to be found, and random variation is large.
    for (const { auc, low, high } of Object.values(passive)) {
      expect(auc).toBeLessThan(0.85);
      expect(low).toBeLessThanOrEqual(auc);
      expect(high).toBeGreaterThanOrEqual(auc);
    }
    expect(Object.keys(active)).toEqual(attacks.map(({ name }) => name));
    for (const { p } of Object.values(active)) expect(p).toBeGreaterThan(1e-4);
    // One attack meets few checks here. Together, workers who answer without looking pass fewer than honest ones.
    const passed = Object.values(active).flatMap((outcome) => outcome.passed ?? []);
    expect(passed.reduce((sum, share) => sum + share, 0) / passed.length).toBeLessThan(honest);
    expect(active['late-answers']?.passed).not.toBeNull();
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
