import type { Db } from '@/db';
import { formatCount } from '@/lib/core/format';
import type { JobSpec } from '@/lib/core/training-spec';
import type { LauncherKind } from '../launch';
import { missingForSlurm } from '../launch/slurm-settings';
import { type Machine, misfit } from './fits';
import { listTrainers, type TrainerView } from './list-trainers';

export interface Place {
  kind: LauncherKind;
  label: string;
  /** Somebody could begin with it now or once a run has ended. */
  fits: boolean;
  /** What is there, or why nothing there fits. */
  says: string;
}

/** Where a run could train: this instance, Slurm, machines elsewhere; with what fits, or why not. */
export async function placesFor(db: Db, resources: JobSpec['resources']): Promise<Place[]> {
  const there = (await listTrainers(db)).filter(({ state }) => state !== 'gone');
  const of = (kind: LauncherKind) => there.filter((trainer) => trainer.kind === kind);
  const slurm = of('slurm')[0]?.capabilities.missing ?? missingForSlurm();
  return [
    {
      kind: 'local',
      label: 'This machine',
      ...judge(of('local'), resources, 'no worker has told yet what it has'),
    },
    {
      kind: 'slurm',
      label: 'Slurm',
      fits: slurm === null,
      says: slurm ?? 'Waits in the queue of Slurm until nodes are free.',
    },
    {
      kind: 'remote',
      label: 'Elsewhere',
      ...judge(
        of('remote'),
        resources,
        'no machine elsewhere is there; an admin adds one under Instance, Workers',
      ),
    },
  ];
}

function judge(trainers: TrainerView[], resources: JobSpec['resources'], none: string) {
  if (trainers.length === 0) return { fits: false, says: `The run would wait: ${none}.` };
  const reasons = trainers.map(({ name, capabilities }) => ({
    name,
    why: capabilities.missing ? 'it has no PyTorch' : misfit(machineOf(capabilities), resources),
  }));
  const fitting = reasons.filter(({ why }) => why === null).map(({ name }) => name);
  if (fitting.length > 0) {
    const free = trainers.filter(({ name, state }) => state === 'idle' && fitting.includes(name)).length;
    return { fits: true, says: `${fitting.join(', ')}: ${formatCount(free, 'machine')} free now.` };
  }
  return {
    fits: false,
    says: `The run would wait: ${reasons.map(({ name, why }) => `${name}: ${why}`).join('; ')}.`,
  };
}

const machineOf = ({ torch = null, gpus = [], memoryGb = 0 }: TrainerView['capabilities']): Machine => ({
  torch,
  gpus,
  memoryGb,
});
