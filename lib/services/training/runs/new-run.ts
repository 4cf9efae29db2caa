import { z } from 'zod';
import { tables } from '@/db';
import { invalid } from '@/lib/core/errors';
import { archs, type JobSpec, jobSpec, trainingPreset, trainingPresets } from '@/lib/core/training-spec';
import { Budget, Sweep } from '../sweep';
import { RunOptions } from './prepare-run';

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
