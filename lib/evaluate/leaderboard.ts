import { groupBy } from '@/lib/quality/group-by';
import { comparableKey } from './comparable';
import type { EvaluationView } from './list-evaluations';

/** Evaluations that may be held against each other: all but the model is the same. */
export interface Board {
  key: string;
  version: number;
  versionHash: string;
  suite: string;
  options: EvaluationView['options'];
  /** The newest of each model, best accuracy first. */
  entries: EvaluationView[];
}

export function boardsOf(evaluations: readonly EvaluationView[]): Board[] {
  const done = evaluations.filter(({ state, metrics }) => state === 'done' && metrics);
  return [...groupBy(done, comparableKey)].flatMap(([key, group]) => {
    const [first] = group;
    if (!first) return [];
    // The list is newest first: of two evaluations of one model the first is the newer.
    const entries = [...groupBy(group, ({ modelId }) => modelId).values()].flatMap((own) => own.slice(0, 1));
    const { version, versionHash, suite, options } = first;
    return [{ key, version, versionHash, suite, options, entries: entries.sort(byAccuracy) }];
  });
}

export const findingOf = (evaluation: EvaluationView, id: string) =>
  evaluation.metrics?.findings.find((finding) => finding.id === id);

const byAccuracy = (a: EvaluationView, b: EvaluationView): number =>
  (findingOf(b, 'clean-accuracy')?.value ?? -1) - (findingOf(a, 'clean-accuracy')?.value ?? -1);
