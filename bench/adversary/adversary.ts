import type { Database } from '@/db';
import type { StageKind } from '@/db/schema';
import type { Storage } from '@/lib/services/storage';
import { attacks, honestPassRate, judge, type Outcome, residualAttacks } from './active';
import type { Auc } from './classifier';
import { attackPassively } from './passive';
import { createTarget, type Target } from './project';

export const stageKinds: readonly StageKind[] = ['attributes', 'object-mask', 'part-mask', 'oracle'];

export interface Findings {
  passive: Partial<Record<StageKind, Auc>>;
  active: Record<string, Outcome>;
  /** Known to work, with what limits it in docs/security.md. */
  residual: Record<string, Outcome>;
  /** Share of checks that honest workers pass, who answer correctly and look for nothing; null if none was scored. */
  honest: number | null;
}

export interface Extent {
  kinds?: readonly StageKind[];
  /** Batches watched per stage kind, over all projects. */
  batches: number;
  /** Batches of each active attack, over all stage kinds. */
  rounds: number;
  onProgress?: (text: string) => void;
}

/** Gold images of each pool: about what a lab writes for a collection. */
const GOLD = { check: 100, exam: 8, practice: 18 };
const ITEMS_PER_BATCH = 20;
/** Few enough that gold is rarely shown twice in a project: what counts is how gold looks, not which images are gold. */
const BATCHES_PER_PROJECT = 30;

/** Runs every attack against a project of its own, so that they do not disturb each other. */
export async function runAdversary(db: Database, storage: Storage, extent: Extent): Promise<Findings> {
  const { kinds = stageKinds, batches, rounds, onProgress = () => {} } = extent;
  const findings: Findings = { passive: {}, active: {}, residual: {}, honest: null };
  const honest: Target[] = [];
  for (const kind of kinds) {
    onProgress(`passive, ${kind}`);
    const projects = Math.max(2, Math.ceil(batches / BATCHES_PER_PROJECT));
    const each = Math.ceil(batches / projects);
    const images = Math.ceil((each * ITEMS_PER_BATCH) / (kind === 'part-mask' ? 2 : 1)) + 50;
    const targets = [];
    for (let n = 0; n < projects; n++)
      targets.push(await createTarget(db, storage, kind, { images, gold: GOLD }));
    findings.passive[kind] = await attackPassively(db, targets, each);
    honest.push(...targets);
    const { auc, low, high, strongest } = findings.passive[kind];
    onProgress(`  AUC ${auc.toFixed(3)} (${low.toFixed(3)}-${high.toFixed(3)})`);
    onProgress(`  ${strongest.map(({ feature, auc }) => `${feature} ${auc.toFixed(3)}`).join(', ')}`);
  }
  findings.honest = await honestPassRate(db, honest);
  for (const [list, into] of [
    [attacks, findings.active],
    [residualAttacks, findings.residual],
  ] as const) {
    for (const attack of list) {
      onProgress(`active, ${attack.name}`);
      const guesses = [];
      for (const kind of ['attributes', 'part-mask'] as const) {
        const images = rounds * ITEMS_PER_BATCH + 100;
        const target = await createTarget(db, storage, kind, { images, gold: GOLD });
        guesses.push(...(await attack.run(db, target, Math.ceil(rounds / 2))));
      }
      into[attack.name] = await judge(db, guesses);
    }
  }
  return findings;
}
