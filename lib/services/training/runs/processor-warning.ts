import type { Db } from '@/db';
import { formatCount, formatDays } from '@/lib/core/format';
import { trainingPreset, trainingPresets } from '@/lib/core/training-spec';
import { listTrainers } from '../trainers/list-trainers';
import type { NewRun } from './new-run';
import type { StudyPlan } from './plan-study';

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
export const onProcessors = { 'resources.device': 'auto', 'resources.gpus': 0 } as const;

/** What to do instead. */
export const insteadOfGpus = `Confirm that, or choose ${new Intl.ListFormat('en', {
  type: 'disjunction',
}).format(trainingPresets.filter(({ needsGpu }) => !needsGpu).map(({ id }) => id))}.`;
