import { z } from 'zod';
import { type Database, newId, tables } from '@/db';
import { record } from '@/lib/audit';
import { type Author, actorId } from '@/lib/auth/actor';
import { findVersion } from '@/lib/datasets/versions/find-version';
import { invalid } from '@/lib/errors';
import { enqueue } from '@/lib/jobs';
import { archs, type JobSpec, jobSpec, trainingPreset, trainingPresets } from '../spec';
import { RunOptions } from './prepare-run';

const { runs } = tables;

export const TRAIN_JOB = 'train-run';

export const NewRun = z.strictObject({
  version: z.string().min(1).max(80),
  preset: z.string().min(1).max(80).default('tiny-64'),
  arch: z.enum(archs).default('downsampled'),
  method: z.enum(['normal', 'pgd', 'trades']).default('normal'),
  seeds: z.array(z.number().int().min(0).max(2_147_483_647)).min(1).max(20).default([0]),
  /** Settings by path: `{ "train.cSeg": 0.3 }`. */
  set: z.record(z.string().max(80), z.union([z.string().max(200), z.number(), z.boolean()])).default({}),
  name: z.string().trim().min(1).max(120).optional(),
  options: RunOptions.default({ classes: 'class' }),
  /** Presets for GPUs take days on a processor: they start there only when somebody says so. */
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

/** Starts one run for each seed; several are a study. */
export async function startRuns(
  db: Database,
  actor: Author,
  { projectId, run }: { projectId: string; run: NewRun },
): Promise<{ id: string; jobId: string; name: string }[]> {
  const version = await findVersion(db, { projectId, version: run.version });
  const preset = trainingPreset(run.preset);
  if (preset?.needsGpu && !run.confirmed)
    throw invalid(
      `${preset.title} is made for GPUs; on a processor it takes weeks. Confirm that a GPU is there, or choose tiny-64, small-64 or r18-64.`,
    );
  const title = run.name ?? `${run.arch}, ${run.method}, ${run.preset}`;
  const study = run.seeds.length > 1 ? newId() : null;
  return db.transaction(async (tx) => {
    const started = [];
    for (const seed of run.seeds) {
      const id = newId();
      const name = run.seeds.length > 1 || seed !== 0 ? `${title}, seed ${seed}` : title;
      const spec = specOf(run, seed, id);
      const jobId = await enqueue(
        tx,
        TRAIN_JOB,
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
        },
      });
      started.push({ id, jobId, name });
    }
    return started;
  });
}
