import type { JobSpec } from '@/lib/core/training-spec';

type Resources = JobSpec['resources'];

/** What the nodes of a partition have, as `sinfo` tells; the least of them. */
export interface Nodes {
  processors: number;
  memoryGb: number;
  gpus: number;
}

export interface SlurmJob {
  runId: string;
  folder: string;
  python: string;
  /** Where the package of the trainer lies; the nodes see it under the same path. */
  trainer: string;
  attempt: number;
  resources: Resources;
  nodes: Nodes;
  partition: string;
  /** Further options of a site. */
  options: readonly string[];
}

/** Seconds before the end at which Slurm asks a run to leave with a checkpoint. */
const NOTICE_SECONDS = 60;
/** Minutes beyond the run's own limit: Tessera stops it first, Slurm only where Tessera is gone. */
const SPARE_MINUTES = 5;

/** `default` stands for the partition that Slurm picks itself. */
export const DEFAULT_PARTITION = 'default';

export const jobName = (runId: string): string => `tessera-${runId}`;

/** Text that the shell takes as it is. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Ranks of one node: one a GPU, and one where there is none. */
const ranksOf = ({ gpus }: Resources): number => Math.max(1, gpus);

const processorsOf = ({ resources, nodes }: Pick<SlurmJob, 'resources' | 'nodes'>): number =>
  resources.threads ?? Math.max(1, Math.floor(nodes.processors / Math.max(ranksOf(resources), nodes.gpus)));

/** Minutes of one go in the queue; null leaves it to the partition, and a run that needs longer is queued again. */
const minutesOf = ({ wallMinutes }: Resources): number | null =>
  wallMinutes === null ? null : Math.ceil(wallMinutes) + SPARE_MINUTES;

/** What sbatch is given besides the script; no shell reads it. */
export function sbatchOptions(job: SlurmJob): string[] {
  const { resources, nodes, partition } = job;
  const minutes = minutesOf(resources);
  const isOnGpus = resources.device === 'cuda' || (resources.device === 'auto' && nodes.gpus > 0);
  return [
    '--parsable',
    `--job-name=${jobName(job.runId)}`,
    ...(partition === DEFAULT_PARTITION ? [] : [`--partition=${partition}`]),
    `--nodes=${resources.nodes}`,
    `--ntasks-per-node=${ranksOf(resources)}`,
    `--cpus-per-task=${processorsOf(job)}`,
    ...(isOnGpus && resources.gpus > 0 ? [`--gres=gpu:${resources.gpus}`] : []),
    ...(resources.memoryGb === null ? [] : [`--mem=${Math.ceil(resources.memoryGb * 1024)}M`]),
    ...(minutes === null ? [] : [`--time=${minutes}`]),
    '--requeue',
    `--signal=TERM@${NOTICE_SECONDS}`,
    // Relative to the folder: in a path of its own sbatch would read % as something to fill in.
    `--chdir=${job.folder}`,
    '--output=log.txt',
    '--open-mode=append',
    ...job.options,
  ];
}

/** What runs on the first node. Slurm begins it anew when the trainer left with a checkpoint and nobody cancelled. */
export function batchScript(job: SlurmJob): string {
  const { resources, folder } = job;
  const minutes = minutesOf(resources);
  const again = [
    '[ "$code" -eq 75 ]',
    `[ ! -e ${quoted(`${folder}/cancel`)} ]`,
    ...(minutes === null ? [] : [`[ "$SECONDS" -lt ${minutes * 60 - 2 * NOTICE_SECONDS} ]`]),
  ];
  return [
    '#!/bin/bash',
    `export PYTHONPATH=${quoted(job.trainer)} PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1`,
    `export TESSERA_ATTEMPT=$((${job.attempt} + \${SLURM_RESTART_COUNT:-0}))`,
    ...(resources.nodes > 1
      ? ['MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)', 'export MASTER_ADDR']
      : []),
    // srun does not take the number over from sbatch by itself.
    `srun --cpus-per-task=${processorsOf(job)} ${quoted(job.python)} -m tessera_trainer ${quoted(folder)}`,
    'code=$?',
    `if ${again.join(' && ')}; then scontrol requeue "$SLURM_JOB_ID"; fi`,
    'exit "$code"',
    '',
  ].join('\n');
}
