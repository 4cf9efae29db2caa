import { groupBy } from '@/lib/core/quality/group-by';
import type { EvaluationView } from './list-evaluations';

/** Leaderboard of comparable evaluations: everything but the model is equal. */
export interface Board {
  key: string;
  version: number;
  versionHash: string;
  suite: string;
  options: EvaluationView['options'];
  /** Hash of the variants and suite versions; null where evaluations are older than its recording. */
  plan: string | null;
  /** The newest of each model, best accuracy first. */
  entries: EvaluationView[];
}

export function groupIntoBoards(evaluations: readonly EvaluationView[]): Board[] {
  const done = evaluations.filter(({ state, metrics }) => state === 'done' && metrics);
  return [...groupBy(done, comparableKey)].flatMap(([key, group]) => {
    const [first] = group;
    if (!first) return [];
    // The list is newest first: of two evaluations of one model the first is the newer.
    const entries = [...groupBy(group, ({ modelId }) => modelId).values()].flatMap((own) => own.slice(0, 1));
    const { version, versionHash, suite, options } = first;
    const plan = first.metrics?.plan ?? null;
    return [{ key, version, versionHash, suite, options, plan, entries: entries.sort(byAccuracy) }];
  });
}

export const findFinding = (evaluation: EvaluationView, id: string) =>
  evaluation.metrics?.findings.find((finding) => finding.id === id);

const byAccuracy = (a: EvaluationView, b: EvaluationView): number =>
  (findFinding(b, 'clean-accuracy')?.value ?? -1) - (findFinding(a, 'clean-accuracy')?.value ?? -1);

/** Robust accuracies that can trade off with clean accuracy. */
const robust = [
  ['adversarial-accuracy', 'attacked'],
  ['corruption-accuracy', 'corrupted'],
  ['gray-background', 'gray background'],
] as const;

/** Clean against robust accuracy, one point per model with both; empty for fewer than two models. */
export function listTradeOffs(
  board: Pick<Board, 'entries'>,
): { name: string; points: { id: string; model: string; x: number; y: number }[] }[] {
  if (board.entries.length < 2) return [];
  return robust
    .map(([finding, name]) => ({
      name,
      points: board.entries.flatMap((entry) => {
        const [x, y] = [findFinding(entry, 'clean-accuracy')?.value, findFinding(entry, finding)?.value];
        return typeof x === 'number' && typeof y === 'number'
          ? [{ id: entry.id, model: entry.model, x, y }]
          : [];
      }),
    }))
    .filter(({ points }) => points.length > 0);
}

/** Evaluations with FMR, highest first. */
export function sortByFmr({ entries }: Pick<Board, 'entries'>): EvaluationView[] {
  const rankOf = (entry: EvaluationView) => findFinding(entry, 'fmr')?.value ?? -1;
  return entries.filter((entry) => findFinding(entry, 'fmr')).toSorted((a, b) => rankOf(b) - rankOf(a));
}

const joinNames = (values: readonly string[]): string => (values.length === 0 ? 'none' : values.join(', '));

/** Conditions of comparability, with the displayed value. */
const conditions: readonly {
  what: string;
  of(evaluation: EvaluationView): string;
  shown(evaluation: EvaluationView, names: ReadonlyMap<string, string>): string;
}[] = [
  { what: 'version', of: ({ versionHash }) => versionHash, shown: ({ version }) => String(version) },
  { what: 'suite', of: ({ suite }) => suite, shown: ({ suite }) => suite },
  { what: 'preset', of: ({ options }) => options.preset, shown: ({ options }) => options.preset },
  { what: 'seed', of: ({ options }) => String(options.seed), shown: ({ options }) => String(options.seed) },
  { what: 'split', of: ({ options }) => options.split, shown: ({ options }) => options.split },
  {
    what: 'number of images asked for',
    of: ({ options }) => String(options.images),
    shown: ({ options }) => String(options.images),
  },
  // Oracle, generator and all further options.
  {
    what: 'oracle or generator',
    of: ({ options }) => JSON.stringify(furtherOptions(options)),
    shown: ({ options }, names) =>
      joinNames(
        Object.values(furtherOptions(options))
          .flat()
          .map((each) => names.get(String(each)) ?? String(each)),
      ),
  },
  {
    what: 'variants or suite version',
    of: ({ metrics }) => metrics?.plan ?? '',
    shown: ({ metrics }) => metrics?.plan?.slice(0, 8) ?? 'not recorded',
  },
  // With the same settings, a model with fewer classes is evaluated on fewer images.
  {
    what: 'images',
    of: ({ metrics }) => metrics?.sources ?? '',
    shown: ({ metrics }) => `${metrics?.images ?? 0} with classes of the model`,
  },
];

function furtherOptions({ preset, seed, split, images, ...further }: EvaluationView['options']) {
  const sorted = Object.entries(further)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value] as const);
  return Object.fromEntries(sorted.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Evaluations with the same key share a leaderboard. */
const comparableKey = (evaluation: EvaluationView): string =>
  JSON.stringify(conditions.map(({ of }) => of(evaluation)));

/** Reasons why two evaluations are not comparable; empty if they are. `names` maps model ids to names. */
export function whyNotComparable(
  a: EvaluationView,
  b: EvaluationView,
  names: ReadonlyMap<string, string> = new Map(),
): string[] {
  const open = [a, b].filter(({ state, metrics }) => state !== 'done' || !metrics);
  if (open.length > 0) return open.map(({ model, state }) => `The evaluation of ${model} is ${state}.`);
  if (a.id === b.id) return ['It is the same evaluation twice.'];
  return conditions
    .filter(({ of }) => of(a) !== of(b))
    .map(({ what, shown }) => `Different ${what}: ${shown(a, names)} and ${shown(b, names)}.`);
}

/** Comparable evaluations, the newest of each other model. */
export function listComparable(
  evaluation: EvaluationView,
  others: readonly EvaluationView[],
): EvaluationView[] {
  const alike = others.filter(
    (other) => other.modelId !== evaluation.modelId && whyNotComparable(evaluation, other).length === 0,
  );
  return [...groupBy(alike, ({ modelId }) => modelId).values()].flatMap((own) => own.slice(0, 1));
}
