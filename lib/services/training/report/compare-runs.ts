import { and, count, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, tables } from '@/db';
import type { JobSpec } from '@/lib/core/training-spec';
import { distinguishNames } from '../runs/list-runs';
import { allSettings, methodOf, recipeOf, withoutImages } from './changed-settings';
import { type Accuracy, cleanTest, strongestTest, testsOf } from './curves-of';
import { type ComparedRun, type SeedMean, seedMean, tableOne } from './table-one';

const { answers, items, models, runs, stages, versionImages, versions } = tables;

/** A comparison of more rows is one of two projects. */
const MOST = 500;

export interface RunComparison {
  rows: ReturnType<typeof tableOne>;
  /** Names of the classes by the key of a row, where its models told them. */
  classes: Map<string, string[]>;
  /** Those that tried several settings, with how many runs each has altogether. */
  studies: (Study & { runs: number })[];
  /** What the number and the kind of labels did, where it was tried. */
  labels: LabelCurves[];
}

/** The finished runs of a project, those alike but for their seed as one row. Two statements. */
export async function compareRuns(
  db: Db,
  { projectId, version }: { projectId: string; version?: number },
): Promise<RunComparison> {
  const found = await db
    .select({
      id: runs.id,
      name: runs.name,
      study: runs.study,
      version: versions.number,
      versionId: runs.versionId,
      spec: sql<JobSpec>`${runs.spec}`,
      result: withoutImages(runs.result),
      toldApart: distinguishNames(runs.options),
      classes: sql<string[] | null>`${models.contract} -> 'classes'`,
    })
    .from(runs)
    .innerJoin(versions, eq(versions.id, runs.versionId))
    .leftJoin(models, eq(models.runId, runs.id))
    .where(
      and(
        eq(runs.projectId, projectId),
        eq(runs.state, 'done'),
        version === undefined ? undefined : eq(versions.number, version),
      ),
    )
    .orderBy(desc(runs.id))
    .limit(MOST);
  const started = await db
    .select({ study: runs.study, runs: count() })
    .from(runs)
    .where(and(eq(runs.projectId, projectId), isNotNull(runs.study)))
    .groupBy(runs.study);
  const runsOf = new Map(started.map((each) => [each.study, each.runs]));
  const rows = tableOne(found satisfies ComparedRun[]);
  const classOf = new Map(found.map(({ id, classes }) => [id, classes ?? []]));
  return {
    rows,
    studies: studiesOf(found).map((study) => ({ ...study, runs: runsOf.get(study.id) ?? study.finished })),
    labels: labelCurves(found),
    classes: new Map(rows.map(({ key, runs: members }) => [key, classOf.get(members[0]?.id ?? '') ?? []])),
  };
}

interface StudyRun extends ComparedRun {
  study: string | null;
}

/** One combination of a study, over its seeds. */
interface StudyRow {
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

interface Study {
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
function validationOf(result: unknown): Accuracy | undefined {
  const { data } = Selected.safeParse(result);
  return data && (data.metrics.selected.adv ?? data.metrics.selected.clean);
}

/**
 * Studies that tried several settings, newest first. The best is the one with the highest mean over seeds on validation
 * images: chosen by the test, the test would no longer be one.
 */
function studiesOf(runs: readonly StudyRun[]): Study[] {
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

export type LabelKind = JobSpec['data']['labels'];

/** Runs whose labels were alike, over their seeds. */
interface LabelPoint {
  /** Share of the training images that kept their part labels. */
  fraction: number;
  clean: SeedMean | null;
  adversarial: SeedMean | null;
  runs: { id: string; seed: number }[];
}

/** Runs that differ in nothing but which part labels they saw. */
export interface LabelCurves {
  key: string;
  version: number;
  versionId: string;
  preset: string | null;
  arch: string;
  method: ReturnType<typeof methodOf>;
  kinds: { labels: LabelKind; points: LabelPoint[] }[];
}

interface LabelledRun extends ComparedRun {
  versionId: string;
}

const [KIND, FRACTION] = ['data.labels', 'data.labelledFraction'];
const order: LabelKind[] = ['mask', 'box', 'centroid'];

const recipeButLabels = (spec: JobSpec): string =>
  Object.entries(allSettings(spec))
    .filter(([path]) => path !== KIND && path !== FRACTION)
    .map(([path, value]) => `${path}=${value}`)
    .sort()
    .join('\n');

/**
 * What part labels are worth: accuracy by how many of them there are, and by their kind. Only of recipes that were trained
 * with at least two different amounts or kinds; the images that keep their labels are nested, so that points of one curve
 * are comparable.
 */
export function labelCurves(runs: readonly LabelledRun[]): LabelCurves[] {
  const recipes = new Map<string, LabelledRun[]>();
  for (const run of runs) {
    if (testsOf(run.result).length === 0) continue;
    const key = `${run.version}\n${run.toldApart}\n${recipeButLabels(run.spec)}`;
    recipes.set(key, [...(recipes.get(key) ?? []), run]);
  }
  return [...recipes].flatMap(([key, members]) => {
    const { spec, version, versionId } = members[0] as LabelledRun;
    const kinds = order.flatMap((labels) => {
      const points = pointsOf(members.filter((run) => run.spec.data.labels === labels));
      return points.length > 0 ? [{ labels, points }] : [];
    });
    if (kinds.reduce((sum, { points }) => sum + points.length, 0) < 2) return [];
    return [
      {
        key,
        version,
        versionId,
        preset: spec.preset,
        arch: spec.model.arch,
        method: methodOf(spec),
        kinds,
      },
    ];
  });
}

function pointsOf(runs: readonly LabelledRun[]): LabelPoint[] {
  const fractions = [...new Set(runs.map(({ spec }) => spec.data.labelledFraction))].sort((a, b) => a - b);
  return fractions.map((fraction) => {
    const own: LabelledRun[] = [];
    // Newest first: the same seed again says nothing new.
    for (const run of runs) {
      const isKnown = own.some(({ spec }) => spec.train.seed === run.spec.train.seed);
      if (run.spec.data.labelledFraction === fraction && !isKnown) own.push(run);
    }
    const tests = own.map(({ result }) => testsOf(result));
    return {
      fraction,
      clean: seedMean(tests.map(cleanTest)),
      adversarial: seedMean(tests.map(strongestTest)),
      runs: own.map(({ id, spec }) => ({ id, seed: spec.train.seed })).sort((a, b) => a.seed - b.seed),
    };
  });
}

/** Minutes that people spent drawing on the training images of each version, by its id; none where nobody drew here. */
export async function drawingMinutes(db: Db, versionIds: readonly string[]): Promise<Map<string, number>> {
  if (versionIds.length === 0) return new Map();
  const found = await db.execute<{ versionId: string; minutes: number }>(sql`
    select v.version_id as "versionId", sum(a.active_ms)::float / 60000 as minutes
    from ${versionImages} v
    join ${items} i on i.image_id = v.image_id
    join ${stages} s on s.id = i.stage_id and s.kind in ('object-mask', 'part-mask')
    join ${answers} a on a.item_id = i.id
    where ${inArray(sql`v.version_id`, [...versionIds])} and v.split = 'train'
    group by v.version_id`);
  return new Map(found.rows.map(({ versionId, minutes }) => [versionId, minutes]));
}
