import { planChecks } from '@/lib/core/quality/check-rate';
import type { HistoryCheck, WorkerHistory } from '@/lib/core/quality/history';
import { defaultPolicy } from '@/lib/core/quality/policy';
import { suspicionOf } from '@/lib/core/quality/sequential';
import type { Rng } from '@/lib/demo/scenes/prng';
import { check, history, minute } from '../histories';

/** Parts of an image, and how far the answers about them depend on each other. */
export type Shape = { parts: readonly string[]; areEqual: boolean };

export const form: Shape = { parts: [''], areEqual: false };
export const independentParts: Shape = { parts: ['ears', 'head', 'tail', 'wings'], areEqual: false };
export const equalParts: Shape = { ...independentParts, areEqual: true };

const BATCH = 20;

export type Career = {
  items: number;
  shape: Shape;
  /** Probability to pass a check on a part after so many items. */
  passes(part: string, itemsDone: number): number;
  rng: Rng;
};

/** The checks of a career under the default schedule, with items as minutes. Nothing is decided about the worker. */
export function liveCareer({ items, shape, passes, rng }: Career): WorkerHistory {
  const checks: HistoryCheck[] = [];
  for (let done = 0; done < items; done += BATCH) {
    const seen = { itemsDone: done, evidence: suspicionOf(checks.slice(-80).map(({ passed }) => passed)) };
    const count = planChecks(defaultPolicy, seen, Array(BATCH).fill(1), () => rng.next());
    for (let i = 0; i < count; i++) {
      const dice = rng.next();
      for (const target of shape.parts) {
        const passed = (shape.areEqual ? dice : rng.next()) < passes(target, done);
        const score = { level: passed ? 0.9 : 0.2, iou: passed ? 0.9 : 0.2 };
        const at = minute(done + i);
        checks.push(check(checks.length, { imageId: `image-${done}-${i}`, target, passed, at, score }));
      }
    }
  }
  return history({ checks, targetCount: shape.parts.length });
}

/** Forms checked every 15 items, with four attributes that are there, each of which a worker marks with probability `recall`. */
export function liveForms({
  areEqual,
  recall,
  rng,
}: {
  /** The attributes of an image are all found or all missed. */
  areEqual: boolean;
  recall: number;
  rng: Rng;
}): WorkerHistory {
  const checks = Array.from({ length: 200 }, (_, i) => {
    const dice = rng.next();
    const found = Array.from({ length: 4 }, () => (areEqual ? dice : rng.next()) < recall).filter(Boolean);
    const truePositives = found.length;
    const score = { level: 0.8, truePositives, falsePositives: 0, falseNegatives: 4 - truePositives };
    return check(i, { at: minute(15 * i), score });
  });
  return history({ checks, targetCount: 28 });
}

/** After how many items the limit of a test was first reached; infinity for never. */
export const itemsUntil = (points: readonly { at: Date; value: number }[], limit: number): number => {
  const reached = points.find(({ value }) => value >= limit);
  return reached ? (reached.at.getTime() - minute(0).getTime()) / 60_000 : Number.POSITIVE_INFINITY;
};
