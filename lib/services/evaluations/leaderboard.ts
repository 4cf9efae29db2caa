import { groupBy } from '@/lib/core/quality/group-by';
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

/** Accuracies that a model may give up clean accuracy for. */
const robust = [
  ['adversarial-accuracy', 'attacked'],
  ['corruption-accuracy', 'corrupted'],
  ['gray-background', 'gray background'],
] as const;

/** Clean against robust accuracy, a point for each model that has both; empty where there is nothing to hold together. */
export function tradeOff(
  board: Pick<Board, 'entries'>,
): { name: string; points: { id: string; model: string; x: number; y: number }[] }[] {
  if (board.entries.length < 2) return [];
  return robust
    .map(([finding, name]) => ({
      name,
      points: board.entries.flatMap((entry) => {
        const [x, y] = [findingOf(entry, 'clean-accuracy')?.value, findingOf(entry, finding)?.value];
        return typeof x === 'number' && typeof y === 'number'
          ? [{ id: entry.id, model: entry.model, x, y }]
          : [];
      }),
    }))
    .filter(({ points }) => points.length > 0);
}

/** The models that an oracle was asked about, highest FMR first; those without a figure at the end. */
export function byFmr({ entries }: Pick<Board, 'entries'>): EvaluationView[] {
  const rankOf = (entry: EvaluationView) => findingOf(entry, 'fmr')?.value ?? -1;
  return entries.filter((entry) => findingOf(entry, 'fmr')).toSorted((a, b) => rankOf(b) - rankOf(a));
}
