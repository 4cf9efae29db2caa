import type { JobSpec } from '@/lib/core/training-spec';
import type { Capabilities } from '../launch/launcher';

export type Machine = Pick<Capabilities, 'torch' | 'gpus' | 'memoryGb'>;

/** Why a machine cannot train what a spec asks for; null where it can. */
export function misfit({ torch, gpus, memoryGb }: Machine, asked: JobSpec['resources']): string | null {
  if (torch === null) return 'it has no PyTorch';
  const wanted = asked.device === 'cuda' ? Math.max(1, asked.gpus) : asked.device === 'cpu' ? 0 : asked.gpus;
  if (gpus.length < wanted)
    return gpus.length === 0 ? 'it has no GPU' : `it has ${gpus.length} of ${wanted} GPUs`;
  if (asked.nodes > 1) return `it is one machine, ${asked.nodes} are asked for`;
  if (asked.memoryGb !== null && memoryGb < asked.memoryGb)
    return `it has ${memoryGb} GB of memory, ${asked.memoryGb} are asked for`;
  return null;
}
