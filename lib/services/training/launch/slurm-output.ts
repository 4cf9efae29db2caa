import type { Status } from './launcher';
import type { Nodes } from './slurm-script';

/** What `squeue --format=%j|%T|%r` tells about one job. */
export interface QueueLine {
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
  BeginTime: 'it begins anew in about two minutes',
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
