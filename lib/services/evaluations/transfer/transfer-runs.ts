import { driven } from '@/lib/core/robustness/suites/fmr';
import { findingOf } from '../leaderboard';
import type { EvaluationView } from '../list-evaluations';
import { isPlainGenerator } from '../new-evaluation';

/** Pictures of each model, and how often the models are asked at most: to make them again, and to look at the others'. */
export function transferRuns(evaluations: readonly EvaluationView[]): { pictures: number; runs: number } {
  const [first] = evaluations;
  if (!first) return { pictures: 0, runs: 0 };
  const { preset, generator } = first.options;
  const { runs } = driven({
    preset,
    generator: isPlainGenerator(generator) ? { id: generator } : { id: 'decoder', step: 1 },
    offers: { gradient: false, oracle: true, features: false },
  });
  const pictures = findingOf(first, 'fmr-validation-rate')?.n ?? 0;
  const models = evaluations.length;
  return { pictures, runs: models * pictures * (runs + models - 1) };
}
