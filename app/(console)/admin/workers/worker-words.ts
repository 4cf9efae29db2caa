import type { LauncherKind } from '@/lib/services/training/launch';

export const placeNames: Record<LauncherKind, string> = {
  local: 'this instance',
  slurm: 'Slurm',
  remote: 'elsewhere',
};

/** "2 × NVIDIA A100, 40 GB". */
export function gpuText(gpus: readonly { name: string; memoryGb: number }[]): string {
  const counts = new Map<string, number>();
  for (const { name, memoryGb } of gpus) {
    const kind = memoryGb > 0 ? `${name}, ${memoryGb} GB` : name;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, n]) => (n > 1 ? `${n} × ${kind}` : kind)).join('; ') || 'none';
}
