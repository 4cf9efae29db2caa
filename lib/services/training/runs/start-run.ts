import { and, eq, inArray, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, type Db, newId, tables } from '@/db';
import { type Author, actorId } from '@/lib/core/actor';
import { invalid } from '@/lib/core/errors';
import { formatCount, formatDays } from '@/lib/core/format';
import { archs, type JobSpec, jobSpec, trainingPreset, trainingPresets } from '@/lib/core/training-spec';
import { record } from '@/lib/services/activity';
import { findVersion, type VersionRow } from '@/lib/services/datasets/versions/open-version';
import { enqueue } from '@/lib/services/jobs';
import type { LauncherKind } from '../launch';
import { type Estimate, estimateTime, type KnownRates, readRates } from '../report/estimate-time';
import { Budget, Sweep, settingsOfTrial, trialsOf, trialWords, withinBudget } from '../sweep';
import { listTrainers } from '../trainers/list-trainers';
import { RunOptions } from './prepare-run';

const { runs } = tables;

/** Starts what is planned: a run for each seed, of each combination of a sweep; several are a study. */
export async function startRuns(
  db: Database,
  actor: Author,
  { projectId, run }: { projectId: string; run: NewRun },
): Promise<{ id: string; jobId: string; name: string }[]> {
  const version = await findVersion(db, { projectId, version: run.version });
  const title = run.name ?? `${run.arch}, ${run.method}, ${run.preset}`;
  const plan = await planStudy(db, version, run);
  const { planned } = plan;
  const warning = await processorWarning(db, run, plan);
  if (warning && !run.confirmed) throw invalid(`${warning} ${insteadOfGpus}`);
  const study = planned.length > 1 ? newId() : null;
  return db.transaction(async (tx) => {
    const started = [];
    for (const { seed, set, words } of planned) {
      const id = newId();
      const isNumbered = run.seeds.length > 1 || seed !== 0;
      const name = [title, words, isNumbered ? `seed ${seed}` : ''].filter(Boolean).join(', ');
      const spec = specOf({ ...run, set: warning ? { ...set, ...onProcessors } : set }, seed, id);
      const jobId = await enqueue(
        tx,
        trainJobOf(run.launcher),
        { runId: id },
        { title: `Train ${name}`, projectId, startedBy: actorId(actor) },
      );
      await tx.insert(runs).values({
        id,
        projectId,
        versionId: version.id,
        name,
        spec,
        options: run.options,
        launcher: run.launcher,
        study,
        jobId,
        createdBy: actorId(actor),
      });
      await record(tx, {
        actor,
        verb: 'run.start',
        subject: 'run',
        subjectId: id,
        projectId,
        detail: {
          name,
          version: version.number,
          preset: run.preset,
          arch: run.arch,
          method: run.method,
          seed,
          launcher: run.launcher,
        },
      });
      started.push({ id, jobId, name });
    }
    return started;
  });
}

export const NewRun = z.strictObject({
  version: z.string().min(1).max(80),
  preset: z.string().min(1).max(80).default('tiny-64'),
  arch: z.enum(archs).default('downsampled'),
  method: z.enum(['normal', 'pgd', 'trades']).default('normal'),
  seeds: z.array(z.number().int().min(0).max(2_147_483_647)).min(1).max(20).default([0]),
  /** Settings by path: `{ "train.cSeg": 0.3 }`. */
  set: z.record(z.string().max(80), z.union([z.string().max(200), z.number(), z.boolean()])).default({}),
  /** Settings that are tried out: every combination with every seed, as far as the budget goes. */
  sweep: Sweep.default({}),
  budget: Budget.default({ runs: 24 }),
  name: z.string().trim().min(1).max(120).optional(),
  options: RunOptions.default({ classes: 'class' }),
  /** Where it trains: on this machine, by Slurm, or on a trainer elsewhere that asks for runs. */
  launcher: z.enum(tables.launcherKinds).default('local'),
  /** Presets for GPUs take days on processors: where there is no GPU they start only when somebody says so. */
  confirmed: z.boolean().default(false),
});
export type NewRun = z.infer<typeof NewRun>;

/** Not known before the snapshot is written. */
const NO_SNAPSHOT = `sha256:${'0'.repeat(64)}`;

/** The spec of a run, checked as the trainer will check it. */
export function specOf(run: NewRun, seed: number, id: string): JobSpec {
  const preset = trainingPreset(run.preset);
  if (!preset)
    throw invalid(
      `There is no preset "${run.preset}". There are: ${trainingPresets.map((each) => each.id).join(', ')}.`,
    );
  if (!preset.archs.includes(run.arch))
    throw invalid(`The preset ${preset.id} trains ${preset.archs.join(', ')}, not ${run.arch}.`);
  // A copy: presets share parts of what they make, and a setting of one run must not reach the next.
  const made = structuredClone(
    preset.make({ arch: run.arch, method: run.method, id, snapshot: NO_SNAPSHOT, seed }),
  );
  for (const [path, value] of Object.entries(run.set)) setAt(made, path, value);
  const parsed = jobSpec.safeParse(made);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(`The settings are not valid: ${issue?.path.join('.')}: ${issue?.message}`);
}

/** Only what is there can be set: a misspelt name is told, not ignored. */
function setAt(spec: object, path: string, value: string | number | boolean): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let at = spec as Record<string, unknown>;
  for (const name of names) {
    const next = Object.hasOwn(at, name) ? at[name] : undefined;
    if (typeof next !== 'object' || next === null) throw invalid(`There is no setting "${path}".`);
    at = next as Record<string, unknown>;
  }
  if (!Object.hasOwn(at, last)) throw invalid(`There is no setting "${path}".`);
  at[last] = typeof value === 'string' ? readValue(value) : value;
}

function readValue(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (text !== '' && Number.isFinite(Number(text))) return Number(text);
  try {
    return /^[[{]/.test(text) ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}

interface PlannedRun {
  seed: number;
  /** All that differs from the preset. */
  set: NewRun['set'];
  /** What the sweep tries in it: "lr 0.01"; empty without one. */
  words: string;
}

export interface StudyPlan {
  /** Combination by combination, so that a study that is cut short has some of them with every seed. */
  planned: PlannedRun[];
  /** Combinations, and those that the budget leaves out. */
  trials: number;
  left: number;
  /** Of one run; those of a study differ in settings that cost no time. */
  spec: JobSpec;
  rates: KnownRates;
  time: Estimate;
}

/** Which runs somebody asks for, and how long one of them takes. Every spec is checked before anything starts. */
export async function planStudy(db: Db, version: Pick<VersionRow, 'card'>, run: NewRun): Promise<StudyPlan> {
  const spec = specOf(run, run.seeds[0] ?? 0, 'new-run');
  const settings = trialsOf(run.sweep).map((trial) => settingsOfTrial(trial, spec));
  for (const set of settings) specOf({ ...run, set: { ...run.set, ...set } }, 0, 'new-run');
  const rates = await readRates(db, spec);
  const time = estimateTime(spec, splitsOf(version.card), rates);
  const { trials, left } = withinBudget(run.sweep, {
    budget: run.budget,
    seeds: run.seeds.length,
    seconds: time.seconds,
  });
  if (trials.length === 0) throw invalid(tooSmall(run, time.seconds));
  return {
    planned: trials.flatMap((trial) =>
      run.seeds.map((seed) => ({
        seed,
        set: { ...run.set, ...settingsOfTrial(trial, spec) },
        words: trialWords(trial),
      })),
    ),
    trials: trials.length,
    left,
    spec,
    rates,
    time,
  };
}

function tooSmall({ budget, seeds }: NewRun, seconds: number): string {
  const all = `${seeds.length} ${seeds.length === 1 ? 'run' : 'runs'} of about ${Math.ceil(seconds / 60)} min`;
  return `The budget does not allow one combination with every seed, which is ${all}: give it more ${
    budget.runs < seeds.length ? 'runs' : 'minutes'
  }, or take fewer seeds or epochs.`;
}

/** Images of a version by split, as its card counts them. */
function splitsOf(card: unknown): { train: number; val: number; test: number } {
  const { counts } = card as { counts?: { bySplit?: Record<string, number> } };
  const { train = 0, val = 0, test = 0 } = counts?.bySplit ?? {};
  return { train, val, test };
}

const wheres = { local: 'of this instance', remote: 'elsewhere' } as const;

/** What somebody has to agree to who trains a preset for GPUs where there are none; null where nobody has to. */
export async function processorWarning(
  db: Db,
  { preset: id, launcher }: Pick<NewRun, 'preset' | 'launcher'>,
  { time, planned, spec }: Pick<StudyPlan, 'time' | 'planned' | 'spec'>,
): Promise<string | null> {
  const preset = trainingPreset(id);
  // Slurm knows its nodes better than we do, and says so when it has none that fit.
  if (!preset?.needsGpu || launcher === 'slurm' || spec.resources.device !== 'cuda') return null;
  const there = (await listTrainers(db)).filter(({ kind, state }) => kind === launcher && state !== 'gone');
  if (there.some(({ capabilities }) => (capabilities.gpus ?? []).length > 0)) return null;
  return `${preset.title} is made for ${formatCount(spec.resources.gpus, 'GPU')}, and no machine ${
    wheres[launcher]
  } has one. On processors it takes about ${formatDays(time.seconds * planned.length)}.`;
}

/** Confirmed: it is begun where there is no GPU. */
const onProcessors = { 'resources.device': 'auto', 'resources.gpus': 0 } as const;

/** What to do instead. */
const insteadOfGpus = `Confirm that, or choose ${new Intl.ListFormat('en', {
  type: 'disjunction',
}).format(trainingPresets.filter(({ needsGpu }) => !needsGpu).map(({ id }) => id))}.`;

/** Trains on the machine of the worker: one at a time, as a run uses every processor there is. */
export const TRAIN_JOB = 'train-run';

/** See to a run that trains elsewhere: they only wait, so that many of them do at once, and neither kind keeps the other waiting. */
export const TRAIN_SLURM_JOB = 'train-run-slurm';
export const TRAIN_ELSEWHERE_JOB = 'train-run-elsewhere';

const kinds: Record<LauncherKind, string> = {
  local: TRAIN_JOB,
  slurm: TRAIN_SLURM_JOB,
  remote: TRAIN_ELSEWHERE_JOB,
};

export const trainJobOf = (launcher: LauncherKind): string => kinds[launcher];

const openStates = ['queued', 'running'] as const;

export const isOpen = (state: string): boolean => (openStates as readonly string[]).includes(state);

/** The run while it is neither over nor given to another job: what a supervisor may write to. */
export const openRun = (runId: string, jobId: string): SQL | undefined =>
  and(eq(runs.id, runId), eq(runs.jobId, jobId), inArray(runs.state, [...openStates]));
