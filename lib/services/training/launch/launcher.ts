import type { JobSpec } from '@/lib/core/training-spec';

/** What a machine can train with. */
export interface Capabilities {
  /** Null where nothing can train; `missing` says what to do. */
  python: string | null;
  torch: string | null;
  gpus: { name: string; memoryGb: number }[];
  processors: number;
  memoryGb: number;
  missing: string | null;
}

export interface Handle {
  /** How a person would find it: a process id, a number of Slurm. */
  name: string;
}

export type Status =
  /** `text`: what it waits for, for people. */
  { state: 'queued'; text?: string } | { state: 'running' } | { state: 'gone'; code: number | null };

/** How a job directory gets a process. The directory is all they share; the verdict is in it, not in the exit code. */
export interface Launcher {
  /** What it starts goes on while no worker looks: one that is stopped leaves it be, and the next adopts it. */
  outlivesWorker: boolean;
  /** The trainer numbers its attempts and sends events, files and verdict to the platform; else they are in the directory. */
  speaksItself: boolean;
  /** The name of the trainer where it is known before anything starts. */
  trainer: string | null;
  capabilities(): Promise<Capabilities>;
  submit(folder: string, resources: JobSpec['resources']): Promise<Handle>;
  /** What another worker has submitted for this directory, if it is still at it. */
  adopt(folder: string): Promise<Handle | null>;
  status(handle: Handle): Promise<Status>;
  /** Asks to stop with a checkpoint, and insists after a minute. */
  stop(handle: Handle): Promise<void>;
}

const plain = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR)$/;
const ofSlurm = /^(SLURM|SBATCH)_\w+$/;
const ofLibraries =
  /^(LD_LIBRARY_PATH|VIRTUAL_ENV|XDG_CACHE_HOME|(CUDA|CUDNN|NVIDIA|NCCL|GLOO|TORCH|PYTORCH|OMP|GOMP|KMP|MKL|OPENBLAS|HIP|ROCR|HSA)_\w+)$/;

const only = (...kept: RegExp[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] =>
      kept.some((names) => names.test(entry[0])),
    ),
  );

/** What a trainer of this machine needs of our environment: nothing that is secret goes along. */
export const trainerEnvironment = (): Record<string, string> => only(plain, ofLibraries);

/** Slurm hands the environment of sbatch to the job: neither does it there. */
export const slurmEnvironment = (): Record<string, string> => only(plain, ofSlurm);
