import type { JobSpec } from '../spec';

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

export type Status = { state: 'queued' | 'running' } | { state: 'gone'; code: number | null };

/** How a job directory gets a process. The directory is all they share; the verdict is in it, not in the exit code. */
export interface Launcher {
  capabilities(): Promise<Capabilities>;
  submit(folder: string, resources: JobSpec['resources']): Promise<Handle>;
  status(handle: Handle): Promise<Status>;
  /** Asks to stop with a checkpoint, and insists after a minute. */
  stop(handle: Handle): Promise<void>;
}
