import { existsSync } from 'node:fs';
import path from 'node:path';
import { readConfig } from '@/lib/config';
import type { JobSpec } from '@/lib/core/training-spec';
import type { Status } from './launcher';

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

/** The script of the first node. Slurm requeues it if the trainer exited with a checkpoint and was not cancelled. */
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

/** The partition that trains, where the operator has named one. */
export const slurmPartition = (): string | null => readConfig().TESSERA_SLURM ?? null;

/** Further options of sbatch that a site needs: an account, a quality of service. */
export const slurmOptions = (): string[] =>
  readConfig().TESSERA_SLURM_OPTIONS?.split(/\s+/).filter(Boolean) ?? [];

/** What keeps this machine from handing runs to Slurm, as something to do about it. */
export function missingForSlurm(): string | null {
  if (!slurmPartition())
    return 'Slurm is not set up here: set TESSERA_SLURM to a partition, with TESSERA_HOME on a disk that its nodes share.';
  if (!onPath('sbatch'))
    return 'TESSERA_SLURM is set, but there is no sbatch on the PATH. Install the commands of Slurm (on Debian: apt-get install slurm-client).';
  return null;
}

const onPath = (command: string): boolean =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .some((folder) => folder !== '' && existsSync(path.join(folder, command)));

/** What `squeue --format=%j|%T|%r` tells about one job. */
interface QueueLine {
  name: string;
  state: string;
  reason: string;
}

export function readQueueLine(text: string): QueueLine | null {
  const line = text.split('\n').find((each) => each.trim() !== '');
  if (!line) return null;
  const [name = '', state = '', reason = ''] = line.trim().split('|');
  return { name, state, reason };
}

/** The number of a job of this name that has not ended, from `squeue --format=%j|%T|%r|%A`. */
export function readNumberOf(text: string, jobName: string): string | null {
  for (const line of text.split('\n')) {
    const [name = '', state = '', , number = ''] = line.trim().split('|');
    const isThere = statusOf({ name, state, reason: '' }).state !== 'gone';
    if (name === jobName && isThere && /^\d+$/.test(number)) return number;
  }
  return null;
}

const waiting = new Set([
  'PENDING',
  'CONFIGURING',
  'REQUEUED',
  'REQUEUE_FED',
  'REQUEUE_HOLD',
  'RESV_DEL_HOLD',
]);
const atIt = new Set(['RUNNING', 'COMPLETING', 'SUSPENDED', 'SIGNALING', 'STAGE_OUT', 'STOPPED', 'RESIZING']);

/** Reasons that people can do something about, or want to know; others are shown as Slurm writes them. */
const reasons: Record<string, string> = {
  None: 'it is about to begin',
  Priority: 'others come first',
  Resources: 'no node is free',
  BeginTime: 'it restarts in about two minutes',
  ReqNodeNotAvail: 'a node it needs is not available',
  PartitionDown: 'the partition is down',
  PartitionTimeLimit: 'it asks for more time than the partition gives',
  AssocGrpGRES: 'the account has used its GPUs',
};

export function statusOf(line: QueueLine | null): Status {
  if (line && waiting.has(line.state)) {
    const why = reasons[line.reason] ?? line.reason;
    return { state: 'queued', text: `Waits in the queue of Slurm: ${why}` };
  }
  if (line && atIt.has(line.state)) return { state: 'running' };
  return { state: 'gone', code: null };
}

/** What every node of `sinfo --noheader --format=%c|%m|%G` has at least; a plus says that some have more. */
export function readNodes(text: string): Nodes | null {
  const rows = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [processors = '', megabytes = '', gres = ''] = line.trim().split('|');
      return {
        processors: Number.parseInt(processors, 10) || 1,
        memoryGb: Math.floor((Number.parseInt(megabytes, 10) || 0) / 1024),
        gpus: gpusOf(gres),
      };
    });
  if (rows.length === 0) return null;
  const least = (of: (row: Nodes) => number) => Math.min(...rows.map(of));
  return {
    processors: least((row) => row.processors),
    memoryGb: least((row) => row.memoryGb),
    gpus: Math.max(...rows.map((row) => row.gpus)),
  };
}

/** `gpu:a100:4(S:0-1),lustre:1` has four. */
function gpusOf(gres: string): number {
  let sum = 0;
  for (const match of gres.matchAll(/(?:^|,)gpu(?::[^,:()]+)?:(\d+)/g)) sum += Number(match[1]);
  return sum;
}
