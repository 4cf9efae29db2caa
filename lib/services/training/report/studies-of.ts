import { z } from 'zod';
import { allSettings, methodOf, recipeOf } from './changed-settings';
import { type ComparedRun, type SeedMean, seedMean } from './table-one';
import { type Accuracy, cleanTest, strongestTest, testsOf } from './tests-of';

export interface StudyRun extends ComparedRun {
  study: string | null;
}

/** One combination of a study, over its seeds. */
export interface StudyRow {
  key: string;
  /** The settings in which the combinations differ, by path. */
  tried: Record<string, string>;
  /** What the best is chosen by: the validation of the weights that were kept. */
  validation: SeedMean | null;
  clean: SeedMean | null;
  adversarial: SeedMean | null;
  runs: { id: string; seed: number }[];
  isBest: boolean;
}

export interface Study {
  id: string;
  name: string;
  version: number;
  /** The validation is under attack. */
  isAdversarial: boolean;
  rows: StudyRow[];
  finished: number;
}

const Share = z.object({
  n: z.number().int(),
  correct: z.number().int(),
  accuracy: z.number().nullable(),
  low: z.number(),
  high: z.number(),
});
const Selected = z.object({
  metrics: z.object({ selected: z.object({ clean: Share, adv: Share.optional() }) }),
});

/** How good the chosen weights were on validation images: under attack where the run was to withstand one. */
export function validationOf(result: unknown): Accuracy | undefined {
  const { data } = Selected.safeParse(result);
  return data && (data.metrics.selected.adv ?? data.metrics.selected.clean);
}

/**
 * Studies that tried several settings, newest first. The best is the one with the highest mean over seeds on validation
 * images: chosen by the test, the test would no longer be one.
 */
export function studiesOf(runs: readonly StudyRun[]): Study[] {
  const groups = new Map<string, StudyRun[]>();
  for (const run of runs) if (run.study) groups.set(run.study, [...(groups.get(run.study) ?? []), run]);
  return [...groups].flatMap(([id, members]) => {
    const recipes = new Map<string, StudyRun[]>();
    for (const run of members) {
      const key = recipeOf(run.spec);
      recipes.set(key, [...(recipes.get(key) ?? []), run]);
    }
    const [first] = members;
    return first && recipes.size > 1 ? [studyOf(id, first, [...recipes], members.length)] : [];
  });
}

/** A setting that every stage has alike is told once: "lr" instead of "stages.0.lr" and "stages.1.lr". */
function ofAllStages(settings: Record<string, string>): Record<string, string> {
  const values = new Map<string, Set<string | undefined>>();
  const stageOf = (path: string) => /^stages\.\d+\.(\w+)$/.exec(path)?.[1];
  for (const [path, value] of Object.entries(settings)) {
    const name = stageOf(path);
    if (name) values.set(name, (values.get(name) ?? new Set()).add(value));
  }
  return Object.fromEntries(
    Object.entries(settings).map(([path, value]) => {
      const name = stageOf(path);
      return [name && values.get(name)?.size === 1 ? name : path, value];
    }),
  );
}

function studyOf(
  id: string,
  first: StudyRun,
  recipes: [key: string, runs: StudyRun[]][],
  finished: number,
): Study {
  const settings = recipes.map(([, [run]]) => (run ? ofAllStages(allSettings(run.spec)) : {}));
  const paths = Object.keys(settings[0] ?? {}).filter(
    (path) => new Set(settings.map((each) => each[path])).size > 1,
  );
  const rows = recipes.map(([key, runs], at): StudyRow => {
    const tests = runs.map(({ result }) => testsOf(result));
    return {
      key,
      tried: Object.fromEntries(paths.map((path) => [path, settings[at]?.[path] ?? ''])),
      validation: seedMean(runs.map(({ result }) => validationOf(result))),
      clean: seedMean(tests.map(cleanTest)),
      adversarial: seedMean(tests.map(strongestTest)),
      runs: runs.map((run) => ({ id: run.id, seed: run.spec.train.seed })).sort((a, b) => a.seed - b.seed),
      isBest: false,
    };
  });
  const sorted = rows.sort((a, b) => (b.validation?.value ?? -1) - (a.validation?.value ?? -1));
  const best = sorted[0];
  if (best?.validation) best.isBest = true;
  return {
    id,
    name: `${first.spec.model.arch}, ${methodOf(first.spec)}, ${first.spec.preset ?? ''}`,
    version: first.version,
    isAdversarial: first.spec.validate.attack !== null,
    rows: sorted,
    finished,
  };
}
